"""Tests of the sensor without Airflow and PyIceberg: run by `python3 -m unittest` in this folder.

Of both there are thin stand-ins below, for their base classes and for how a table is loaded. The metadata are those of real tables:
TIDEMARK_CASES names a file of cases that Tidemark's build writes, with what its own sensor answers to each.
"""

import asyncio
import gzip
import json
import os
import sys
import types
import unittest
from datetime import datetime, timedelta, timezone


def module(name, **content):
    made = types.ModuleType(name)
    for key, value in content.items():
        setattr(made, key, value)
    sys.modules[name] = made


class BaseTrigger:
    def __init__(self, **kwargs):
        pass


class TriggerEvent:
    def __init__(self, payload):
        self.payload = payload


class Deferred(Exception):
    def __init__(self, trigger, method_name):
        super().__init__(method_name)
        self.trigger = trigger
        self.method_name = method_name


class BaseSensorOperator:
    def __init__(self, *, task_id, timeout=3600, soft_fail=False):
        self.task_id = task_id
        self.timeout = timeout
        self.soft_fail = soft_fail

    def defer(self, *, trigger, method_name):
        raise Deferred(trigger, method_name)


class AirflowException(Exception):
    pass


class AirflowSkipException(AirflowException):
    pass


TABLES = {}


class Catalog:
    """Hands out what TABLES has under a name: an error to raise, or a function that gives a table."""

    def load_table(self, name):
        return TABLES[name]()


module("airflow")
module("airflow.exceptions", AirflowException=AirflowException, AirflowSkipException=AirflowSkipException)
module("airflow.triggers")
module("airflow.triggers.base", BaseTrigger=BaseTrigger, TriggerEvent=TriggerEvent)
module("airflow.sensors")
module("airflow.sensors.base", BaseSensorOperator=BaseSensorOperator)
module("pyiceberg")
module("pyiceberg.catalog", load_catalog=lambda name: Catalog())

import tidemark_airflow  # noqa: E402
from tidemark_airflow import TidemarkSensor, TidemarkTrigger  # noqa: E402
from tidemark_watermark import (  # noqa: E402
    FINALIZED,
    INVALIDATED,
    NOT_COVERED,
    NOT_YET,
    SnapshotState,
    TableState,
    WatermarkError,
    instant,
    judge,
)

START = "2026-01-01T10:00:00Z"
END = "2026-01-01T11:00:00Z"


def pyiceberg_table(metadata):
    """What PyIceberg makes of a metadata file, as far as the sensor looks at it."""
    snapshots = [
        types.SimpleNamespace(
            snapshot_id=each["snapshot-id"],
            parent_snapshot_id=each.get("parent-snapshot-id"),
            sequence_number=each.get("sequence-number"),
            summary=types.SimpleNamespace(additional_properties=each.get("summary", {})),
        )
        for each in metadata.get("snapshots", [])
    ]
    head = metadata.get("current-snapshot-id")
    return types.SimpleNamespace(
        metadata=types.SimpleNamespace(
            table_uuid=metadata["table-uuid"],
            properties=metadata.get("properties", {}),
            current_snapshot_id=None if head == -1 else head,
            snapshots=snapshots,
        )
    )


def read(path):
    opened = gzip.open(path) if ".gz." in os.path.basename(path) else open(path, "rb")
    with opened as file:
        return json.load(file)


def table(until=END, since=START, **properties):
    """A table with two snapshots whose watermark rests on the newer one."""
    stored = {
        "tidemark.finalized-until": until,
        "tidemark.finalized-since": since,
        "tidemark.finalized-until-snapshot-id": "2",
        "tidemark.finalized-until-table-uuid": "u",
    }
    stored.update({"tidemark." + key.replace("_", "-"): value for key, value in properties.items()})
    return pyiceberg_table(
        {
            "table-uuid": "u",
            "properties": {key: value for key, value in stored.items() if value is not None},
            "current-snapshot-id": 2,
            "snapshots": [
                {"snapshot-id": 1, "sequence-number": 1},
                {"snapshot-id": 2, "parent-snapshot-id": 1, "sequence-number": 2},
            ],
        }
    )


def state(loaded):
    return TableState.of_pyiceberg("db.events", loaded)


class JudgeTest(unittest.TestCase):
    def judged(self, loaded, start=START, end=END):
        return judge(state(loaded), instant(start), instant(end))

    def test_range_before_the_watermark_is_finalized(self):
        answer = self.judged(table())
        self.assertEqual(FINALIZED, answer.state)
        self.assertEqual("2", answer.as_dict()["snapshot_id"])
        self.assertEqual(END, answer.finalized_until)

    def test_range_after_the_watermark_is_not_yet(self):
        answer = self.judged(table(paused="audit"), end="2026-01-01T11:00:00.001Z")
        self.assertEqual(NOT_YET, answer.state)
        self.assertIn("paused: audit", answer.reason)
        self.assertEqual(NOT_YET, self.judged(table(until=None)).state)

    def test_range_before_the_facts_is_not_covered(self):
        self.assertEqual(NOT_COVERED, self.judged(table(), start="2026-01-01T09:59:59Z").state)
        self.assertEqual(NOT_COVERED, self.judged(table(since=None)).state)

    def test_clone_disabled_and_damaged_tables_are_refused(self):
        for loaded in (
            table(finalized_until_table_uuid="other"),
            table(disabled="moved"),
            table(until="noon"),
        ):
            with self.assertRaises(WatermarkError):
                self.judged(loaded)

    def test_watermark_of_a_snapshot_that_is_not_an_ancestor_is_invalidated(self):
        rolled_back = TableState("t", "u", state(table()).properties, 1, {1: SnapshotState(None, 1), 2: SnapshotState(1, 2)})
        self.assertEqual(INVALIDATED, judge(rolled_back, instant(START), instant(END)).state)

    def test_expired_snapshot_and_cherry_pick_count(self):
        properties = state(table()).properties
        expired = TableState("t", "u", properties, 4, {4: SnapshotState(3, 4)})
        picked = TableState("t", "u", properties, 3, {3: SnapshotState(None, 3, picked_from=2)})
        for each in (expired, picked):
            self.assertEqual(FINALIZED, judge(each, instant(START), instant(END)).state)

    def test_times_need_an_offset(self):
        self.assertEqual(instant("2026-01-01T11:00:00+01:00"), instant(START))
        with self.assertRaises(ValueError):
            instant("2026-01-01T10:00:00")
        with self.assertRaises(ValueError):
            self.judged(table(), end=START)


@unittest.skipUnless("TIDEMARK_CASES" in os.environ, "no cases of real tables")
class RealTablesTest(unittest.TestCase):
    def test_answers_are_those_of_tidemark(self):
        cases = read(os.environ["TIDEMARK_CASES"])
        self.assertGreater(len(cases), 10)
        for case in cases:
            with self.subTest(case):
                loaded = TableState.of_pyiceberg("db.events", pyiceberg_table(read(case["metadata"])))
                try:
                    answer = judge(loaded, instant(case["start"]), instant(case["end"]))
                    self.assertEqual(case["state"], answer.state)
                    self.assertEqual(case["snapshotId"], answer.as_dict()["snapshot_id"])
                except WatermarkError:
                    self.assertEqual("ERROR", case["state"])


class TriggerTest(unittest.TestCase):
    """The trigger on a clock that only its pauses move."""

    def setUp(self):
        self.now = datetime(2026, 1, 1, 12, tzinfo=timezone.utc)
        self.pauses = []

    def trigger(self, then=lambda pauses: None, limit_minutes=60, **kwargs):
        deadline = (self.now + timedelta(minutes=limit_minutes)).isoformat()
        made = TidemarkTrigger("lake", "db.events", START, END, deadline, poll_seconds=60, **kwargs)

        async def pause(seconds):
            self.pauses.append(seconds)
            self.now += timedelta(seconds=seconds)
            then(len(self.pauses))

        made._now = lambda: self.now
        made._pause = pause
        return made

    def events(self, trigger):
        async def collect():
            return [event.payload async for event in trigger.run()]

        return asyncio.run(collect())

    def test_it_fires_once_the_range_is_finalized(self):
        TABLES["db.events"] = lambda: table(until=START)

        def then(pauses):
            if pauses == 3:
                TABLES["db.events"] = table

        events = self.events(self.trigger(then))

        self.assertEqual([FINALIZED], [event["state"] for event in events])
        self.assertEqual("2", events[0]["snapshot_id"])
        self.assertEqual(3, len(self.pauses))
        for pause in self.pauses:
            self.assertTrue(54 <= pause <= 66)

    def test_it_ends_when_waiting_does_not_help(self):
        TABLES["db.events"] = lambda: table(since="2026-01-01T10:30:00Z")
        self.assertEqual([NOT_COVERED], [event["state"] for event in self.events(self.trigger())])

    def test_it_ends_when_the_time_is_up(self):
        TABLES["db.events"] = lambda: table(until=START)
        events = self.events(self.trigger(limit_minutes=10))
        self.assertEqual(["TIMED_OUT"], [event["state"] for event in events])
        self.assertAlmostEqual(600, sum(self.pauses), delta=0.01)

    def test_it_survives_a_catalog_that_is_away(self):
        def away():
            raise ConnectionError("no route")

        TABLES["db.events"] = away

        def then(pauses):
            if pauses == 5:
                TABLES["db.events"] = table

        self.assertEqual([FINALIZED], [event["state"] for event in self.events(self.trigger(then))])
        TABLES["db.events"] = away
        events = self.events(self.trigger(outage_seconds=300))
        self.assertEqual(["ERROR"], [event["state"] for event in events])
        self.assertIn("no route", events[0]["reason"])

    def test_clone_and_table_created_again_are_errors(self):
        TABLES["db.events"] = lambda: table(finalized_until_table_uuid="other")
        self.assertEqual(["ERROR"], [event["state"] for event in self.events(self.trigger())])
        TABLES["db.events"] = lambda: table(until=START)

        def then(pauses):
            again = table(until=START, finalized_until_table_uuid=None)
            again.metadata.table_uuid = "v"
            TABLES["db.events"] = lambda: again

        events = self.events(self.trigger(then))
        self.assertIn("dropped and created again", events[0]["reason"])

    def test_it_is_made_again_from_what_it_serializes(self):
        trigger = self.trigger()
        path, arguments = trigger.serialize()
        self.assertEqual("tidemark_airflow.TidemarkTrigger", path)
        again = getattr(tidemark_airflow, path.rsplit(".", 1)[1])(**json.loads(json.dumps(arguments)))
        self.assertEqual(trigger.serialize(), again.serialize())

    def test_asking_does_not_block_other_triggers(self):
        """While one asks and blocks, a coroutine beside it goes on, and lets it go."""
        import threading

        go_on = threading.Event()

        def blocking():
            self.assertTrue(go_on.wait(30))
            return table()

        TABLES["db.events"] = blocking
        trigger = self.trigger()

        async def beside():
            async def first():
                return [event.payload async for event in trigger.run()]

            async def second():
                go_on.set()

            return (await asyncio.gather(first(), second()))[0]

        self.assertEqual([FINALIZED], [event["state"] for event in asyncio.run(beside())])


class SensorTest(unittest.TestCase):
    def sensor(self, **kwargs):
        return TidemarkSensor(task_id="wait", catalog="lake", table="db.events", start=START, end=END, **kwargs)

    def test_finalized_range_needs_no_trigger(self):
        TABLES["db.events"] = table
        self.assertEqual("2", self.sensor().execute({}))

    def test_open_range_is_deferred_with_the_limit_as_a_moment(self):
        TABLES["db.events"] = lambda: table(until=START)
        before = datetime.now(timezone.utc)
        with self.assertRaises(Deferred) as deferred:
            self.sensor(timeout=7200).execute({})
        after = datetime.now(timezone.utc)
        self.assertEqual("resume", deferred.exception.method_name)
        deadline = instant(deferred.exception.trigger.deadline)
        self.assertTrue(before + timedelta(hours=2) <= deadline <= after + timedelta(hours=2))

    def test_it_returns_the_snapshot_or_fails_or_skips(self):
        finalized = {"state": FINALIZED, "reason": "", "snapshot_id": "42"}
        late = {"state": "TIMED_OUT", "reason": "slow", "snapshot_id": "42"}
        error = {"state": "ERROR", "reason": "clone", "snapshot_id": None}
        self.assertEqual("42", self.sensor().resume({}, finalized))
        with self.assertRaises(AirflowException):
            self.sensor().resume({}, late)
        with self.assertRaises(AirflowSkipException):
            self.sensor(soft_fail=True).resume({}, late)
        with self.assertRaises(AirflowException) as raised:
            self.sensor(soft_fail=True).resume({}, error)
        self.assertNotIsInstance(raised.exception, AirflowSkipException)

    def test_clone_fails_at_once(self):
        TABLES["db.events"] = lambda: table(finalized_until_table_uuid="other")
        with self.assertRaises(AirflowException):
            self.sensor().execute({})


if __name__ == "__main__":
    unittest.main()
