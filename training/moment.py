"""Times as the scripts take them."""

import datetime
import time


def moment(text: str) -> float:
    """Seconds since 1970 of `HH:MM` (UTC, the next time that it is so late) or `+H` (hours from now)."""
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
