"""States of jobs: what schedulers print, in the words of the neutral job frame."""

STATES = (
    "COMPLETED",
    "FAILED",
    "CANCELLED",
    "TIMEOUT",
    "NODE_FAIL",
    "PREEMPTED",
    "OOM",
    "RUNNING",
    "PENDING",
    "UNKNOWN",
)

UNFINISHED = frozenset({"RUNNING", "PENDING"})

_SLURM = {
    "COMPLETED": "COMPLETED", "CD": "COMPLETED",
    "FAILED": "FAILED", "F": "FAILED", "SPECIAL_EXIT": "FAILED", "SE": "FAILED", "LAUNCH_FAILED": "FAILED",
    "CANCELLED": "CANCELLED", "CA": "CANCELLED", "REVOKED": "CANCELLED", "RV": "CANCELLED",
    "TIMEOUT": "TIMEOUT", "TO": "TIMEOUT", "DEADLINE": "TIMEOUT", "DL": "TIMEOUT",
    "NODE_FAIL": "NODE_FAIL", "NF": "NODE_FAIL", "BOOT_FAIL": "NODE_FAIL", "BF": "NODE_FAIL",
    "RECONFIG_FAIL": "NODE_FAIL",
    "PREEMPTED": "PREEMPTED", "PR": "PREEMPTED",
    "OUT_OF_MEMORY": "OOM", "OOM": "OOM",
    "RUNNING": "RUNNING", "R": "RUNNING", "COMPLETING": "RUNNING", "CG": "RUNNING", "CONFIGURING": "RUNNING",
    "CF": "RUNNING", "RESIZING": "RUNNING", "RS": "RUNNING", "SUSPENDED": "RUNNING", "S": "RUNNING",
    "STOPPED": "RUNNING", "ST": "RUNNING", "STAGE_OUT": "RUNNING", "SO": "RUNNING", "SIGNALING": "RUNNING",
    "SI": "RUNNING",
    "PENDING": "PENDING", "PD": "PENDING", "REQUEUED": "PENDING", "RQ": "PENDING", "REQUEUE_HOLD": "PENDING",
    "RH": "PENDING", "REQUEUE_FED": "PENDING", "RF": "PENDING", "RESV_DEL_HOLD": "PENDING", "RD": "PENDING",
}  # fmt: skip

_SWF = {1: "COMPLETED", 0: "FAILED", 5: "CANCELLED"}
SWF_PARTIAL = (2, 3, 4)
"""Status of a line that repeats one part of a job which has a line of its own."""


def parse_slurm_state(text: str) -> str:
    """Return the state that Slurm means; a suffix such as ``by 1002`` or ``+`` is dropped.

    Examples
    --------
    >>> parse_slurm_state("CANCELLED by 1002")
    'CANCELLED'
    """
    words = text.split(maxsplit=1)
    return _SLURM.get(words[0].rstrip("+").upper(), "UNKNOWN") if words else "UNKNOWN"


def parse_swf_state(status: float) -> str:
    """Return the state that a status of the Standard Workload Format means."""
    return _SWF.get(int(status), "UNKNOWN") if abs(status) < 100 else "UNKNOWN"
