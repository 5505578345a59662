"""Parsing of times in options."""

import datetime
import time


def moment(text: str) -> float:
    """Returns the time in seconds since 1970. `HH:MM` is the next such time in UTC, `+H` is a
    number of hours from now."""
    try:
        if text.startswith("+"):
            return time.time() + float(text[1:]) * 3600
        hour, minute = map(int, text.split(":"))
        now = datetime.datetime.now(datetime.timezone.utc)
        then = now.replace(hour=hour, minute=minute, second=0)
    except (ValueError, OverflowError):
        raise SystemExit(f"no time: '{text}', expected HH:MM or +HOURS") from None
    if then < now:
        then += datetime.timedelta(days=1)
    return then.timestamp()
