"""An Airflow sensor that waits until a range of event time is finalized in an Iceberg table.

Copy this file and tidemark_watermark.py into the folder of your plugins or DAGs. Needs Airflow 2.7 or newer with a triggerer, and
PyIceberg. The catalog is named, not described: PyIceberg finds its properties and credentials in .pyiceberg.yaml or the
environment, of workers and triggerers alike, and none of them is stored with a deferred task.
"""

import asyncio
import random
from datetime import datetime, timedelta, timezone
from typing import Any, AsyncIterator, Optional

from airflow.exceptions import AirflowException, AirflowSkipException
from airflow.triggers.base import BaseTrigger, TriggerEvent

try:  # Airflow 3
    from airflow.sdk.bases.sensor import BaseSensorOperator
except ImportError:  # Airflow 2
    from airflow.sensors.base import BaseSensorOperator

from tidemark_watermark import Answer, TableState, WatermarkError, instant, judge

TIMED_OUT = "TIMED_OUT"
ERROR = "ERROR"


def ask(catalog: str, table: str, start: str, end: str) -> Answer:
    """Loads the table and judges the range; blocks."""
    from pyiceberg.catalog import load_catalog

    loaded = load_catalog(catalog).load_table(table)
    return judge(TableState.of_pyiceberg(table, loaded), instant(start), instant(end))


class TidemarkTrigger(BaseTrigger):
    """Polls a table until a range is finalized, or waiting does not help, or the time is up.

    The time limit is a moment, not a duration, so that a trigger that moves to another triggerer keeps it. A table that cannot be
    read is asked again for `outage_seconds`.
    """

    def __init__(
        self,
        catalog: str,
        table: str,
        start: str,
        end: str,
        deadline: str,
        poll_seconds: float = 60.0,
        outage_seconds: float = 600.0,
    ):
        super().__init__()
        self.catalog = catalog
        self.table = table
        self.start = start
        self.end = end
        self.deadline = deadline
        self.poll_seconds = poll_seconds
        self.outage_seconds = outage_seconds

    def serialize(self) -> tuple[str, dict[str, Any]]:
        return (
            "tidemark_airflow.TidemarkTrigger",
            {
                "catalog": self.catalog,
                "table": self.table,
                "start": self.start,
                "end": self.end,
                "deadline": self.deadline,
                "poll_seconds": self.poll_seconds,
                "outage_seconds": self.outage_seconds,
            },
        )

    async def run(self) -> AsyncIterator[TriggerEvent]:
        deadline = instant(self.deadline)
        failing_since: Optional[datetime] = None
        uuid: Optional[str] = None
        while True:
            event: dict[str, Any]
            try:
                # PyIceberg blocks; the loop is shared with all other triggers.
                answer = await asyncio.to_thread(ask, self.catalog, self.table, self.start, self.end)
                failing_since = None
                event = answer.as_dict()
                if uuid is not None and answer.table_uuid != uuid:
                    yield TriggerEvent(self._error(f"Table {self.table} was dropped and created again. Wait anew."))
                    return
                uuid = answer.table_uuid
                if answer.settled:
                    yield TriggerEvent(event)
                    return
            except (WatermarkError, ValueError) as error:
                yield TriggerEvent(self._error(str(error)))
                return
            except Exception as error:  # whatever the catalog or the network does
                failing_since = failing_since or self._now()
                event = self._error(f"Cannot read table {self.table}: {type(error).__name__}: {error}")
                if self._now() - failing_since >= timedelta(seconds=self.outage_seconds):
                    yield TriggerEvent(event)
                    return
            left = (deadline - self._now()).total_seconds()
            if left <= 0:
                yield TriggerEvent({**event, "state": TIMED_OUT})
                return
            await self._pause(min(left, self.poll_seconds * random.uniform(0.9, 1.1)))

    @staticmethod
    def _error(reason: str) -> dict[str, Any]:
        return {"state": ERROR, "reason": reason, "snapshot_id": None}

    @staticmethod
    def _now() -> datetime:
        return datetime.now(timezone.utc)

    @staticmethod
    async def _pause(seconds: float) -> None:
        await asyncio.sleep(seconds)


class TidemarkSensor(BaseSensorOperator):
    """Waits until [start, end) is finalized, and returns the snapshot to read.

    Start and end are instants with an offset, and templated: `{{ data_interval_start.isoformat() }}`. The result (XCom) is the id of
    the snapshot that holds all that the answer speaks of, as a string. It asks once on the worker, and is deferred if the answer is
    not yet. `timeout` (of every sensor) is the time limit; `soft_fail` skips the task instead of failing it.
    """

    template_fields = ("table", "start", "end")

    def __init__(
        self,
        *,
        catalog: str,
        table: str,
        start: str,
        end: str,
        poll_seconds: float = 60.0,
        outage_seconds: float = 600.0,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self.catalog = catalog
        self.table = table
        self.start = start
        self.end = end
        self.poll_seconds = poll_seconds
        self.outage_seconds = outage_seconds

    def execute(self, context: Any) -> Optional[str]:
        try:
            answer = ask(self.catalog, self.table, self.start, self.end)
        except WatermarkError as error:
            raise AirflowException(str(error)) from error
        if answer.settled:
            return self.resume(context, answer.as_dict())
        deadline = datetime.now(timezone.utc) + timedelta(seconds=self.timeout)
        self.defer(
            trigger=TidemarkTrigger(
                self.catalog,
                self.table,
                self.start,
                self.end,
                deadline.isoformat(),
                self.poll_seconds,
                self.outage_seconds,
            ),
            method_name="resume",
        )
        return None

    def resume(self, context: Any, event: dict[str, Any]) -> Optional[str]:
        """Goes on after the trigger has fired."""
        if event["state"] == "FINALIZED":
            return event["snapshot_id"]
        message = f"Table {self.table} is not finalized for {self.start} to {self.end}: {event['state']}: {event['reason']}"
        if self.soft_fail and event["state"] != ERROR:
            raise AirflowSkipException(message)
        raise AirflowException(message)
