import Beacons
import Bluetooth

/// Trackers.
let trackerExamples: [Example] = [
  Example(
    "LunaTracker, the example of the protocol", .luna, minimum: 22, title: "LunaTracker",
    fields: [
      "version=1", "manufacturerId=65535", "keyRollingCounter=252", "eid=b6e7b607bdc2304a",
      "aotp=e5c8013424402b", "heid=a09867114718541141ed60664ce88cbb", "esf=a77593",
      "connectable=true", "onboardable=false", "separated=false",
    ],
    """
    02 01 06
    03 03 04 18        -- service 0x1804
    17 ff ff ff        -- manufacturer data, for tests
    11                 -- version 1, connectable
    fc                 -- counter
    b6e7b607bdc2304a   -- eid
    e5c8013424402b     -- aotp
    a77593             -- esf
    """),
  Example(
    "AirTag away from its owner", .appleFindMy, minimum: 29, title: "AirTag (separated)",
    address: "D2:11:22:33:44:55",
    fields: [
      "state=separated", "battery=medium", "deviceType=airtag", "maintained=false",
      "publicKey=92112233445501" + "02030405060708090a0b0c0d0e0f10111213141516", "hint=127",
    ],
    """
    1e ff 4c 00        -- manufacturer data, Apple
    12 19              -- Find My, 25 bytes
    50                 -- battery 1, device type 1
    0102030405060708090a0b0c0d0e0f10111213141516
    02                 -- bits 6 and 7 of the key's first byte: D2 becomes 92
    7f                 -- hint
    """),
  Example(
    "AirTag away from its owner, at an address that is not known", .appleFindMy, minimum: 29,
    title: "AirTag (separated)", addressType: .absent,
    fields: [
      "state=separated", "battery=full", "deviceType=airtag", "maintained=false", "hint=0",
    ],
    """
    1e ff 4c 00 12 19 10 0102030405060708090a0b0c0d0e0f10111213141516 03 00
    """),
  Example(
    "AirPods near their owner, behind another message", .appleFindMy, minimum: 13,
    title: "AirPods, Find My (nearby)",
    fields: ["state=nearby", "battery=critical", "deviceType=airpods", "maintained=true"],
    """
    02 01 1a
    0e ff 4c 00
    10 05 01 18 39 2c 11   -- Nearby Info
    12 02              -- Find My, 2 bytes
    f4                 -- battery 3, device type 3, maintained
    03                 -- key bits
    """),
  Example(
    "Find Hub, 160 bits", .googleFindHub, minimum: 23, title: "Google Find Hub",
    fields: [
      "eid=000102030405060708090a0b0c0d0e0f10111213", "unwantedTracking=false", "hashedFlags=165",
    ],
    """
    02 01 06
    19 16 aa fe
    40
    000102030405060708090a0b0c0d0e0f10111213
    a5                 -- hashed flags
    """),
  Example(
    "Find Hub away from its owner, without flags", .googleFindHub, minimum: 23,
    title: "Google Find Hub (separated)",
    fields: ["eid=000102030405060708090a0b0c0d0e0f10111213", "unwantedTracking=true"],
    """
    18 16 aa fe 41 000102030405060708090a0b0c0d0e0f10111213
    """),
  Example(
    "Find Hub, 256 bits, extended advertising", .googleFindHub, minimum: 23,
    title: "Google Find Hub (separated)",
    fields: [
      "eid=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
      "unwantedTracking=true", "hashedFlags=0",
    ],
    """
    02 01 06
    25 16 aa fe 41
    000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
    00
    """),
  Example(
    "DULT, near its owner", .dult, minimum: 4, title: "DULT tracker, Google (near its owner)",
    fields: ["network=2", "nearOwner=true", "data=cafe"],
    """
    02 01 06
    07 16 b2 fc
    02                 -- network
    01                 -- near its owner
    ca fe              -- data of the network
    """),
  Example(
    "DULT, separated, of a network that is not known", .dult, minimum: 4,
    title: "DULT tracker (separated)",
    fields: ["network=7", "nearOwner=false", "data="],
    """
    05 16 b2 fc 07 fe
    """),
  Example(
    "SmartTag", .smartTag, minimum: 22, title: "SmartTag (offline)",
    fields: [
      "version=1", "state=offline", "agingCounter=131328", "privacyIdentifier=a1a2a3a4a5a6a7a8",
      "region=12", "encrypted=false", "uwb=false", "battery=full", "signature=0badf00d",
    ],
    """
    02 01 04
    17 16 5a fd
    12                 -- version 1, offline
    00 01 02           -- aging counter, little-endian
    a1a2a3a4a5a6a7a8   -- privacy identifier
    c3                 -- region 12, battery 3
    00 00 00           -- reserved
    0b ad f0 0d        -- signature
    """),
  Example(
    "SmartTag+ long away", .smartTag, minimum: 22, title: "SmartTag (separated)",
    fields: [
      "version=1", "state=overmature-offline", "agingCounter=1",
      "privacyIdentifier=0000000000000000",
      "region=0", "encrypted=true", "uwb=true", "battery=low", "signature=00000000",
    ],
    """
    17 16 5a fd 13 01 00 00 0000000000000000 0d 00 00 00 00 00 00 00
    """),
  Example(
    "Tile, as heard in a home", .tile, minimum: 3, title: "Tile", address: "C1:94:5F:17:81:FD",
    fields: ["activated=true", "privateIdentifier=dae6579629d91f12"],
    """
    02 01 06
    03 03 ed fe        -- service of an activated Tile
    0d 16 ed fe
    02 00
    da e6 57 96 29 d9 1f 12
    """),
  Example(
    "Tile with data of another form", .tile, minimum: 3, title: "Tile",
    fields: ["activated=true", "data=0300aa"],
    """
    02 01 06
    06 16 ed fe        -- service data of an activated Tile
    03 00 aa
    """),
  Example(
    "Tile that has no owner", .tile, minimum: 2, title: "Tile (not activated)",
    fields: ["activated=false"],
    """
    02 01 06
    03 03 ec fe
    """),
  Example(
    "Chipolo", .chipolo, minimum: 3, title: "Chipolo (separated)", address: "D8:00:00:00:00:01",
    fields: ["separated=true", "data=0a0b0c"],
    """
    02 01 06
    03 02 33 fe
    06 16 33 fe
    0a
    0b                 -- bit 0: away for more than 30 minutes
    0c
    """),
  Example(
    "Chipolo whose firmware does not tell", .chipolo, minimum: 3, title: "Chipolo",
    address: "D9:00:00:00:00:01", fields: ["data=0a0b0c"],
    """
    06 16 33 fe 0a 0b 0c
    """),
  Example(
    "Pebblebee", .pebblebee, minimum: 3, title: "Pebblebee", fields: ["data=01"],
    """
    02 01 06
    04 16 25 fa 01
    """),
]
