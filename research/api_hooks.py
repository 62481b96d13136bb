"""What the description of the API cannot say of its requests, for schemathesis.

A photo is the picture in a file that is one, a box's edges are in order, no key is used twice for different photos, and
a job's token is the one that came with it; everything else is generated from /openapi.json alone.
"""

import base64
import uuid

import schemathesis
from hypothesis import strategies

# A grey PNG of four by two pixels.
PHOTO = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAQAAAACCAAAAABawyK/AAAADklEQVR42mNoAAIGEAEAFAoEAfXmzZEAAAAASUVORK5CYII="
)

schemathesis.openapi.format("binary", strategies.just(PHOTO))


def edges(body):
    """The four edges in a request for enrichment; nothing where there are none."""
    geometry = body.get("geometry") if isinstance(body, dict) else None
    box = geometry.get("bounding_box") if isinstance(geometry, dict) else None
    is_box = isinstance(box, list) and len(box) == 4 and all(type(edge) in (int, float) for edge in box)
    return box if is_box else None


TOKENS = {}


@schemathesis.hook
def after_call(context, case, response):
    if response.status_code == 202:
        accepted = response.json()["data"]
        TOKENS[accepted["jobId"]] = accepted["token"]


@schemathesis.hook
def before_call(context, case, kwargs):
    headers = case.headers
    key = headers.get("Idempotency-Key")
    if isinstance(key, str) and 0 < len(key) <= 200 and all("!" <= character <= "~" for character in key):
        headers["Idempotency-Key"] = key + uuid.uuid4().hex
    token = TOKENS.get((case.path_parameters or {}).get("id"))
    if token:
        headers["Authorization"] = f"Bearer {token}"
    box = edges(case.body)
    if box:
        for low, high in ((0, 2), (1, 3)):
            box[low], box[high] = sorted((box[low], box[high]))
