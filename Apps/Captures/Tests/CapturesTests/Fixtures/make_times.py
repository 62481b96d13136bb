#!/usr/bin/env python3
"""Makes the pictures time-….jpg with Pillow: each has a place, and was taken at 14:03:09 on 28 July 2019 by its camera's clock.

    python3 make_times.py

`zone` has the clock's zone, +02:00; `satellites` the satellites' time too, 11:58:01; `both` both; `undated` no time.
"""

from PIL import Image

for name in ("plain", "zone", "satellites", "both", "undated"):
    image = Image.new("RGB", (8, 8), (9, 9, 9))
    exif = image.getexif()
    camera, place = exif.get_ifd(0x8769), exif.get_ifd(0x8825)
    if name != "undated":
        camera[0x9003] = "2019:07:28 14:03:09"
    if name in ("zone", "both"):
        camera[0x9011] = "+02:00"
    place.update({1: "N", 2: (48.0, 12.0, 30.0), 3: "E", 4: (16.0, 21.0, 36.0)})
    if name in ("satellites", "both"):
        place.update({7: (11.0, 58.0, 1.0), 0x1D: "2019:07:28"})
    image.save(f"time-{name}.jpg", exif=exif)
