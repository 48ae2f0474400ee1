"""Place one sentence into the section its rule reads, with a plain rest around it."""

SECTION = {"O": "R"}

PLAIN = {
    "S": "There was a project.",
    "T": "There was a plan.",
    "A": "There was some activity.",
    "R": "It is live.",
    "L": "Thank you.",
}
RED_LINES = "The SLO must not drop, the cost must stay flat, "
RED_LINES += "the failure rate must stay under 3%, and latency must not get worse."
WORSE = "But evictions rose from 5% to 9%."


def placed(rule: str, sentence: str) -> dict[str, str]:
    """Return an answer in five boxes in which only the section of `rule` says more than nothing."""
    boxes = dict(PLAIN)
    section = SECTION.get(rule[0], rule[0])
    boxes[section] = sentence
    if rule == "O2":
        boxes["T"] = RED_LINES
    if rule == "O4":
        boxes["R"] = f"{WORSE} {sentence}"
    return boxes
