"""Tells from an Iceberg table's metadata whether a range of event time is finalized.

The rules are those of Tidemark's own sensor. Nothing here needs Airflow, PyIceberg or Tidemark: a table is what `TableState`
holds, and `TableState.of_pyiceberg` fills it from a PyIceberg table.
"""

from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Mapping, Optional

FINALIZED = "FINALIZED"
NOT_YET = "NOT_YET"
NOT_COVERED = "NOT_COVERED"
INVALIDATED = "INVALIDATED"


class WatermarkError(Exception):
    """A question without an answer. The message ends in what to do about it."""


@dataclass(frozen=True)
class SnapshotState:
    """What has to be known of a snapshot."""

    parent_id: Optional[int]
    sequence_number: int
    picked_from: Optional[int] = None


@dataclass(frozen=True)
class TableState:
    """One metadata version of a table."""

    name: str
    uuid: str
    properties: Mapping[str, str]
    head_id: Optional[int]
    snapshots: Mapping[int, SnapshotState] = field(default_factory=dict)

    @staticmethod
    def of_pyiceberg(name: str, table: Any) -> "TableState":
        """The state of the main branch of a PyIceberg table."""
        metadata = table.metadata
        snapshots = {}
        for snapshot in metadata.snapshots:
            summary = getattr(snapshot, "summary", None)
            picked = None
            if summary is not None:
                picked = getattr(summary, "additional_properties", {}).get("source-snapshot-id")
            snapshots[snapshot.snapshot_id] = SnapshotState(
                snapshot.parent_snapshot_id,
                snapshot.sequence_number or 0,
                None if picked is None else int(picked),
            )
        return TableState(
            name, str(metadata.table_uuid), dict(metadata.properties), metadata.current_snapshot_id, snapshots
        )


@dataclass(frozen=True)
class Answer:
    """Whether a range is finalized, why, and which snapshot to read."""

    state: str
    reason: str
    finalized_until: Optional[str]
    snapshot_id: Optional[int]
    table_uuid: str

    @property
    def finalized(self) -> bool:
        return self.state == FINALIZED

    @property
    def settled(self) -> bool:
        """Whether waiting cannot change the answer."""
        return self.state in (FINALIZED, NOT_COVERED)

    def as_dict(self) -> dict:
        """A form that JSON keeps: snapshot ids exceed what many readers keep of a number."""
        return {
            "state": self.state,
            "reason": self.reason,
            "finalized_until": self.finalized_until,
            "snapshot_id": None if self.snapshot_id is None else str(self.snapshot_id),
            "table_uuid": self.table_uuid,
        }


def instant(text: str) -> datetime:
    """An ISO-8601 instant, as stored (2026-01-01T05:00:00Z), or with an offset."""
    parsed = datetime.fromisoformat(text[:-1] + "+00:00" if text.endswith("Z") else text)
    if parsed.tzinfo is None:
        raise ValueError(f"Invalid time: {text} (must end in an offset, such as Z)")
    return parsed.astimezone(timezone.utc)


def judge(table: TableState, start: datetime, end: datetime) -> Answer:
    """The state of [start, end), by the main branch's watermark."""
    if not start < end:
        raise ValueError(f"Invalid range: {start} to {end} (must end after its start)")
    properties = table.properties
    disabled = properties.get("tidemark.disabled")
    if disabled is not None:
        raise WatermarkError(
            f"Cannot tell until when table {table.name} is finalized: it was disabled: {disabled}. Do not wait for it."
        )
    owner = properties.get("tidemark.finalized-until-table-uuid")
    if owner is not None and owner != table.uuid:
        raise WatermarkError(
            f"Cannot tell until when table {table.name} is finalized: its watermark was copied from another table "
            f"(UUID {owner}, this is {table.uuid}). Ask that table."
        )
    until = _stored(table, "tidemark.finalized-until")
    since = _stored(table, "tidemark.finalized-since")

    def answer(state: str, reason: str) -> Answer:
        text = None if until is None else until.isoformat().replace("+00:00", "Z")
        return Answer(state, reason, text, table.head_id, table.uuid)

    if until is None:
        return answer(NOT_YET, "The table has no watermark yet")
    if since is None or start < since:
        return answer(NOT_COVERED, f"The table's facts cover it from {since} on only; waiting does not help")
    if not _holds_watermark(table):
        return answer(INVALIDATED, f"The watermark {until} rests on a snapshot that the branch does not hold any more")
    if end <= until:
        return answer(FINALIZED, f"Finalized until {until}")
    paused = properties.get("tidemark.paused")
    reason = f"Finalized until {until} only, before {end}"
    return answer(NOT_YET, reason if paused is None else f"{reason}; paused: {paused}")


def _stored(table: TableState, key: str) -> Optional[datetime]:
    text = table.properties.get(key)
    if text is None:
        return None
    try:
        return instant(text)
    except ValueError as error:
        raise WatermarkError(
            f"Cannot read property {key} of table {table.name}: {text} is no instant. Restore the property."
        ) from error


def _holds_watermark(table: TableState) -> bool:
    """Whether the head descends from the snapshot that moved the watermark, as far as expiry lets tell."""
    text = table.properties.get("tidemark.finalized-until-snapshot-id")
    if text is None:
        return True
    wanted = int(text)
    live = table.snapshots.get(wanted)
    current = table.head_id
    while current is not None:
        snapshot = table.snapshots.get(current)
        if snapshot is None:
            # Expired: what lies before it is not known, and presumed to be as it was.
            return True
        if current == wanted or snapshot.picked_from == wanted:
            return True
        if live is not None and live.sequence_number > 0 and snapshot.sequence_number < live.sequence_number:
            return False
        current = snapshot.parent_id
    return False
