"""What a subcommand raises when it cannot do as asked."""


class CommandError(Exception):
    """The request cannot be met; the text says what was wrong and what to do."""
