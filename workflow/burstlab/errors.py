"""The one exception whose message is written for the user."""


class BurstlabError(Exception):
    """A fault the user can mend; the message names the file, key and value at fault, and what would be right."""
