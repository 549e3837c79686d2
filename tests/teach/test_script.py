"""A notebook saved as a script: its verdicts are told, and nothing is missing."""

from ..python import python

CELLS = """#!/usr/bin/env python
# coding: utf-8

# In[1]:


from convladder.teach import check

# In[2]:


display("a picture")
check("output_shape", ...)
"""


def test_a_script_of_a_notebook_tells_its_verdicts(tmp_path):
    (tmp_path / "a.py").write_text(CELLS)
    done = python(tmp_path / "a.py")
    assert "`convladder lab` opens notebooks" in done.stdout, done.stderr
    assert "a picture" in done.stdout and "output_shape: not attempted" in done.stdout


def test_any_other_script_stays_as_it_is(tmp_path):
    text = CELLS.replace("# In", "# Cell").replace('display("a picture")', "")
    (tmp_path / "a.py").write_text(text)
    done = python(tmp_path / "a.py")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
