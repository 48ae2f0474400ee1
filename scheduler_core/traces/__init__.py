"""Job logs: read one, see what became of each row, and replay it.

One public module is one format and exports `FORMAT`; everything else begins with an underscore. `read` gives an
`Imported` (the neutral job frame and the report), `Imported.replay` the job table with recorded starts, `set_up` both
and the scenario document.
"""

from scheduler_core.traces._base import COLUMNS, Format
from scheduler_core.traces._capacity import Capacity, infer_capacity, peak_use
from scheduler_core.traces._cluster import read_cluster
from scheduler_core.traces._document import LogSetup, scenario_document, set_up
from scheduler_core.traces._hosts import expand_nodes
from scheduler_core.traces._imported import Imported, Tables
from scheduler_core.traces._ledger import Tally
from scheduler_core.traces._pools import ClusterImport
from scheduler_core.traces._read import formats, read
from scheduler_core.traces._recorded import WaitRow, recorded_table
from scheduler_core.traces._reopen import reopen
from scheduler_core.traces._replay import Replay
from scheduler_core.traces._report import ImportReport
from scheduler_core.traces._source import BOUNDS, Bounds
from scheduler_core.traces._texts import Message

read_log, set_up_log = read, set_up
"""The names under which the front of the core offers them."""

__all__ = [
    "BOUNDS",
    "COLUMNS",
    "Bounds",
    "Capacity",
    "ClusterImport",
    "Format",
    "ImportReport",
    "Imported",
    "LogSetup",
    "Message",
    "Replay",
    "Tables",
    "Tally",
    "WaitRow",
    "expand_nodes",
    "formats",
    "infer_capacity",
    "peak_use",
    "read",
    "read_cluster",
    "read_log",
    "recorded_table",
    "reopen",
    "scenario_document",
    "set_up",
    "set_up_log",
]
