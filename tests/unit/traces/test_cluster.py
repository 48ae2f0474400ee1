"""Clusters from sinfo output and node tables."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.errors import TraceError
from scheduler_core.traces import ClusterImport, read_cluster, set_up
from tests.unit.traces.helpers import gpu_job, read_sacct, shared

ONE_POOL = ({"name": "a100", "gpu": "a100", "zones": {"a": 5}, "gpus_per_node": 8},)


def keys(cluster: ClusterImport) -> list[str]:
    return [note.key for note in cluster.notes]


@pytest.mark.parametrize(
    "text",
    [
        "NODELIST NODES GRES\ngpu[01-04,07] 5 gpu:a100:8(S:0-1)\n",
        "NODELIST|GRES\ngpu[01-04,07]|gpu:a100:8\n",
        "HOSTNAMES            GRES\n" + "".join(f"gpu0{at}                gpu:a100:8\n" for at in (1, 2, 3, 4, 7)),
        "NODELIST   PARTITION GRES       STATE\ngpu[01-04] all* gpu:a100:8 mix\ngpu07      all* gpu:a100:8 idle\n",
        "gpu[01-04,07] gpu:a100:8(S:0-1)\n",
        "gpu[01-04]|gpu:a100:8\ngpu07|gpu:a100:8\n",
        "NODES GRES\n5 gpu:a100:8\n",
        "name,gpus,gpu_type\n" + "".join(f"gpu{at},8,a100\n" for at in range(5)),
        "name;gpus;gpu_type\n" + "".join(f"gpu{at};8;a100\n" for at in range(5)),
        "gpu_type,gpus,nodes\na100,8,5\n",
    ],
)
def test_forms_of_the_same_cluster(text: str) -> None:
    assert read_cluster(text).pools == ONE_POOL


def test_partitions_share_nodes_and_some_are_down_or_bare() -> None:
    cluster = read_cluster(
        "PARTITION AVAIL NODES STATE NODELIST GRES\n"
        "gpu* up 2 idle n[1-2] gpu:a100:8\n"
        "long up 2 idle n[1-2] gpu:a100:8\n"
        "gpu* up 1 drain* n3 gpu:a100:8\n"
        "cpu up 4 idle c[1-4] (null)\n"
        "mix up 1 idle m1 gpu:a100:4,gpu:a30:4\n"
    )
    assert [(pool["name"], pool["zones"]) for pool in cluster.pools] == [("a100", {"a": 2}), ("mixed", {"a": 1})]
    assert keys(cluster) == ["cluster.repeated", "cluster.down", "cluster.no_gpus", "cluster.mixed"]
    assert (cluster.nodes, cluster.gpus) == (3, 24)
    assert "n3" in cluster.notes[1].text()


def test_a_table_gives_zones_racks_cpus_and_memory() -> None:
    rows = [f"n{at},8,H100,{'ab'[at // 4]},r{at // 2},96,1024" for at in range(7)]
    cluster = read_cluster("name,gpus,gpu_type,zone,rack,cpus,mem_gb\n" + "\n".join(rows))
    assert cluster.pools == (
        {
            "name": "h100",
            "gpu": "H100",
            "zones": {"a": 4, "b": 3},
            "gpus_per_node": 8,
            "cpus_per_node": 96,
            "mem_gb_per_node": 1024,
            "nodes_per_rack": 2,
        },
    )


def test_uneven_racks_are_left_out_and_noted() -> None:
    cluster = read_cluster("name,gpus,rack\na,8,1\nb,8,1\nc,8,1\nd,8,2\ne,8,3\n")
    assert "nodes_per_rack" not in cluster.pools[0]
    assert keys(cluster) == ["cluster.racks"]


def test_pools_of_one_type_get_different_names() -> None:
    cluster = read_cluster("name,gpus,gpu_type\na,8,A100\nb,4,A100\nc,2,A100\n")
    assert [pool["name"] for pool in cluster.pools] == ["a100", "a100-4", "a100-2"]
    assert cluster.gpu_types == ("A100",)


def test_default_sinfo_needs_gpus_to_be_said() -> None:
    text = "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\ngpu*         up 2-00:00:00      2   idle n[1-2]\n"
    with pytest.raises(TraceError, match=r"does not say how many GPUs a node has; run sinfo -N -o '%N %G'"):
        read_cluster(text)
    assert read_cluster(text, gpus_per_node=4).gpus == 8


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("\n \n", "is empty"),
        ("hello world\n", "neither sinfo output"),
        ("name,gpus\na,eight\n", "line 2: gpus is 'eight'; it must be a number"),
        ("name,gpus\na,-8\n", "it must be a number from 0"),
        ("name,gpus\na,99999999\n", "at most 1,000,000"),
        ("NODELIST GRES\nn[1-, gpu:8\n", "closed brackets"),
        ("NODELIST GRES\nn[1-3] (null)\n", "no usable node with a GPU"),
        ("NODES GRES\n900000 gpu:8\n", "at most 200,000"),
        ("name,rack\na,b\n", "has no column with GPUs"),
        ("NODELIST GRES\nn1\n", "has 1 values under 2 headings"),
    ],
)
def test_what_is_no_cluster_is_refused_in_one_sentence(text: str, words: str) -> None:
    with pytest.raises(TraceError) as caught:
        read_cluster(text)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_published_node_list_is_read() -> None:
    path = shared("alibaba_openb_v2023", "openb_node_list_all_node.csv")
    cluster = read_cluster(path.read_text())
    assert cluster.gpus == 6_212  # as its authors state
    assert cluster.nodes == 1_213


def test_a_cluster_can_be_given_to_a_replay() -> None:
    cluster = read_cluster("NODELIST GRES\nn[1-2] gpu:a100:8\n")
    made = set_up(read_sacct(gpu_job("1", "00:00:00", "00:10:00", 4)), cluster=cluster)
    assert made.document is not None
    assert made.document["cluster"] == {
        "pools": [{"name": "a100", "gpu": "a100", "zones": {"a": 2}, "gpus_per_node": 8}]
    }
    assert (made.replay.report.capacity, made.replay.report.capacity_source) == (16, "cluster")


@given(st.text(alphabet=st.sampled_from("NODELISTGRESgpu:a10[]-,;|\t \n()*8"), max_size=120))
def test_random_text_gives_a_cluster_or_one_sentence(text: str) -> None:
    refusal, n_gpus = "", 0
    try:
        n_gpus = read_cluster(text).gpus
    except TraceError as error:
        refusal = str(error)
    assert "\n" not in refusal
    assert bool(refusal) != (n_gpus > 0)
