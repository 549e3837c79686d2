"""Who may log in: learners who sign up with the class's code, and the instructor with another.

Nobody has a password before choosing one. Import it only with the extra `classroom`.
"""

from __future__ import annotations

import secrets
from pathlib import Path

from jupyterhub.handlers.login import LoginHandler
from nativeauthenticator import NativeAuthenticator, handlers
from traitlets import Dict, Unicode

from .roster import INSTRUCTOR, USER, RosterError, check_user

PAGES = Path(__file__).with_name("pages")  # the form that asks for the code
CODE = "code"


class WithCode(handlers.SignUpHandler):
    """The page on which an account is made: it also asks for a code."""

    async def post(self) -> None:
        """Make the account, or say in a sentence why not."""
        user = self.get_body_argument("username", "", strip=True).lower()
        given = self.get_body_argument(CODE, "", strip=True).lower()
        if refused := self.authenticator.refused(user, given):
            self.set_status(403)
            self.finish(
                await self.render_template(
                    "signup.html", alert="alert-danger", result_message=refused, username=user
                )
            )
            return
        await super().post()


class ClassAuthenticator(NativeAuthenticator):
    """Native accounts behind a code: for those on the list of a class, or for all who have it."""

    class_code = Unicode(help="what a learner needs to sign up", config=True)
    instructor_code = Unicode(help="what the instructor needs to sign up", config=True)
    learners = Dict(help="user name -> name of those on the list; empty: no list", config=True)

    def refused(self, user: str, code: str) -> str:
        """Return why this user may not sign up with this code, "" if it may."""
        teaches = user == INSTRUCTOR
        wanted = self.instructor_code if teaches else self.class_code
        if not wanted or not secrets.compare_digest(code.encode(), wanted.encode()):
            return (
                "This is not the instructor's code."
                if teaches
                else "This is not the code of the class; your instructor has it."
            )
        if teaches:
            return ""
        if self.learners and user not in self.learners:
            return (
                f"{user} is not on the list of the class; write your user name as your "
                "instructor has it."
            )
        try:
            check_user(user)
        except RosterError:
            return (
                "A user name has lower-case letters, digits and hyphens, and begins with a "
                "letter: ana-b."
            )
        return ""

    def validate_username(self, username: str) -> bool:
        """Tell whether a name can be a folder and part of an address."""
        return bool(USER.fullmatch(username)) and not username.endswith("-")

    def check_allowed(self, username: str, authentication: dict | None = None) -> bool:
        """Tell whether an account may log in now: those taken from the list may not."""
        return username == INSTRUCTOR or not self.learners or username in self.learners

    def get_handlers(self, app) -> list[tuple]:
        """Return the pages of accounts: ours for signing up, JupyterHub's own for logging in.

        NativeAuthenticator 1.3's own for logging in ends in an error under JupyterHub 6.
        """
        instead = {handlers.SignUpHandler: WithCode, handlers.LoginHandler: LoginHandler}
        return [
            (path, instead.get(handler, handler)) for path, handler in super().get_handlers(app)
        ]
