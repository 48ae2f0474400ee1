"""`python -m scheduler_core`: the command line."""

from scheduler_core import cli

if __name__ == "__main__":
    cli.main()
