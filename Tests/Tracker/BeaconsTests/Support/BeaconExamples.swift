import Beacons

/// Beacons, by the examples of their specifications where these give any.
let beaconExamples: [Example] = [
  Example(
    "iBeacon", .iBeacon, minimum: 25, title: "iBeacon",
    fields: ["uuid=E2C56DB5-DFFB-48D2-B060-D0F5A71096E0", "major=1", "minor=258", "power=-59"],
    """
    02 01 06           -- flags
    1a ff 4c 00        -- manufacturer data, Apple
    02 15              -- iBeacon, 21 bytes
    e2c56db5 dffb 48d2 b060 d0f5a71096e0
    00 01              -- major
    01 02              -- minor
    c5                 -- power
    """),
  Example(
    "LunaTracker in iBeacon mode", .iBeacon, minimum: 25, title: "LunaTracker (iBeacon)",
    fields: [
      "uuid=18569F30-81A7-5874-AE31-172C33BFF7C3", "major=41113", "minor=34577", "power=-59",
      "region=1",
    ],
    """
    02 01 06
    1a ff 4c 00 02 15
    18569f30 81a7 5874 ae31 172c33bff7c3   -- region 1
    a0 99 87 11                            -- heid, bytes 0 to 3
    c5
    """),
  Example(
    "iBeacon with a byte of the maker", .iBeacon, minimum: 25, title: "iBeacon",
    fields: [
      "uuid=EBEFD083-70A2-47C8-9837-E7B5634DF525", "major=29733", "minor=37274", "power=-53",
    ],
    """
    02 01 04
    1b ff 4c 00 02 15
    ebefd08370a247c89837e7b5634df525
    74 25
    91 9a
    cb
    64                 -- not Apple's
    """),
  Example(
    "Eddystone-UID", .eddystoneUID, minimum: 20, title: "Eddystone-UID",
    fields: ["namespace=12345678901234678901", "instance=000000000001", "power=-29"],
    """
    02 01 06
    03 03 aa fe        -- complete list of services
    17 16 aa fe        -- service data
    00                 -- UID
    e3                 -- power
    12345678901234678901
    000000000001
    00 00              -- reserved
    """),
  Example(
    "Eddystone-UID without the reserved bytes", .eddystoneUID, minimum: 20, title: "Eddystone-UID",
    fields: ["namespace=12345678901234678901", "instance=000000000001", "power=0"],
    """
    15 16 aa fe 00 00 12345678901234678901 000000000001
    """),
  Example(
    "Eddystone-URL", .eddystoneURL, minimum: 6, title: "Eddystone-URL",
    fields: ["url=https://github.com/citruz", "power=-8"],
    """
    03 03 aa fe
    13 16 aa fe
    10                 -- URL
    f8                 -- power
    03                 -- https://
    676974687562       -- github
    00                 -- .com/
    63697472757a       -- citruz
    """),
  Example(
    "Eddystone-URL with an ending", .eddystoneURL, minimum: 6, title: "Eddystone-URL",
    fields: ["url=http://www.example.gov", "power=18"],
    """
    0e 16 aa fe 10 12 00 6578616d706c65 0d
    """),
  Example(
    "Eddystone-URL with a reserved code", .eddystoneURL, minimum: 6, title: "Eddystone-URL",
    fields: ["encoded=02610e", "power=-18"],
    """
    08 16 aa fe 10 ee 02 61 0e
    """),
  Example(
    "Eddystone-TLM", .eddystoneTLM, minimum: 16, title: "Eddystone-TLM",
    fields: [
      "batteryMillivolts=2840", "temperature=19.0", "advertisements=5223", "uptime=1094.8",
    ],
    """
    02 01 06
    03 03 aa fe
    11 16 aa fe
    20 00              -- TLM, plain
    0b 18              -- battery
    13 00              -- temperature
    00 00 14 67        -- advertisements
    00 00 2a c4        -- uptime
    """),
  Example(
    "Eddystone-TLM with the least it can tell", .eddystoneTLM, minimum: 16,
    title: "Eddystone-TLM", fields: ["advertisements=4294967295", "uptime=0.0"],
    """
    11 16 aa fe 20 00
    00 00              -- no battery
    80 00              -- no thermometer
    ff ff ff ff
    00 00 00 00
    """),
  Example(
    "Eddystone-TLM below zero", .eddystoneTLM, minimum: 16, title: "Eddystone-TLM",
    fields: ["batteryMillivolts=1", "temperature=-0.00390625", "advertisements=0", "uptime=0.1"],
    """
    11 16 aa fe 20 00 00 01 ff ff 00 00 00 00 00 00 00 01
    """),
  Example(
    "Eddystone-eTLM", .eddystoneETLM, minimum: 20, title: "Eddystone-eTLM",
    fields: ["data=414141414141414141414141", "salt=dead", "integrityCheck=beef"],
    """
    03 03 aa fe
    15 16 aa fe
    20 01              -- TLM, encrypted
    414141414141414141414141
    de ad              -- salt
    be ef              -- integrity check
    """),
  Example(
    "Eddystone-EID", .eddystoneEID, minimum: 12, title: "Eddystone-EID",
    fields: ["eid=4549445f74657374", "power=-29"],
    """
    02 01 06
    03 03 aa fe
    0d 16 aa fe
    30                 -- EID
    e3                 -- power
    45 49 44 5f 74 65 73 74
    """),
  Example(
    "AltBeacon", .altBeacon, minimum: 26, title: "AltBeacon",
    fields: [
      "manufacturerId=280", "id=0102030405060708090a0b0c0d0e0f1011121314", "power=-59",
      "reserved=7",
    ],
    """
    02 01 06
    1b ff 18 01        -- manufacturer data, Radius Networks
    be ac
    0102030405060708090a0b0c0d0e0f10 11121314
    c5                 -- power
    07                 -- of the maker
    """),
  Example(
    "Exposure Notification", .exposureNotification, minimum: 22, title: "Exposure Notification",
    fields: ["rollingProximityIdentifier=0d3b4f65584c582160571dd19010d41c", "metadata=2660ee34"],
    """
    02 01 1a
    03 03 6f fd
    17 16 6f fd
    0d3b4f65584c582160571dd19010d41c
    26 60 ee 34
    """),
]
