"""Writes the distances that Geodesy is compared with, by geographiclib 2.0 of PyPI, whose environment runs this:
`distances.py >distances.txt`. A line has the two points in degrees and the metres between them: around a home, in a
town, in a country, and anywhere."""

import random

from geographiclib.geodesic import Geodesic

dice = random.Random(5)
for kilometres in (0.1, 1, 10, 100, 1000, 5000, 10000, 18000):
    for _ in range(25):
        latitude, longitude = round(dice.uniform(-89, 89), 7), round(dice.uniform(-180, 180), 7)
        there = Geodesic.WGS84.Direct(latitude, longitude, dice.uniform(-180, 180), kilometres * 1000 * dice.uniform(0.1, 1))
        to = round(there['lat2'], 7), round(there['lon2'], 7)
        print(latitude, longitude, *to, round(Geodesic.WGS84.Inverse(latitude, longitude, *to)['s12'], 3))
