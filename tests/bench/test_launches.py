"""Launch costs: refused without a GPU, and records complete."""

from convladder.bench.records import load_records


def test_the_courses_records_are_complete_and_possible():
    for record in load_records("launches"):
        assert record["card"]["gpu"] and record["date"] >= "2026-11-21"
        for cost in (record["empty"], record["cupy"], *record["kernels"].values()):
            for low, median, high in (cost["returns"], cost["done"]):
                assert 0 < low <= median <= high
            assert cost["returns"][1] < cost["done"][1]
        assert record["first"] > record["empty"]["done"][1]
        assert set(record["kernels"]) == {
            "im2col's lowering",
            "MEC's lowering",
            "direct, down the image",
            "direct, along the channel",
        }
