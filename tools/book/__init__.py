"""The course as a static site, made by Sphinx from the notebooks' stored outputs."""
