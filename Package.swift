// swift-tools-version: 6.2
import PackageDescription

// The package as a map: districts, each on those before it, and their rooms. A room is a target in
// Sources/DISTRICT/ROOM with its tests in Tests/DISTRICT/ROOMTests. It uses rooms of its own district
// or of one before it, never in a circle; scripts/lib/check-districts holds it to that.

// One C module per library or kernel interface; libcurl, libmicrohttpd, libmosquitto, libpq, libqrencode
// and libssl are loaded when used.
let ground = District(
  "Ground",
  [
    .c("CLinux"),
    .c("CBlueZ"),
    .library("CDBus", pkgConfig: "dbus-1", package: "libdbus-1-dev"),
    .library("COpenSSL", pkgConfig: "libcrypto", package: "libssl-dev"),
    .library("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
    .library("CZlib", pkgConfig: "zlib", package: "zlib1g-dev"),
    .c("CCurl"),
    .c("CMicroHTTPD"),
    .c("CMosquitto"),
    .c("CPostgreSQL"),
    .c("CQREncode"),
    .c("CTLS"),
    .c("CLuna"),
    .c(
      "CLunaVectors",
      exclude: [
        "luna-v1.json", "luna-v1.json.gz", "share-v1.json", "share-v1.json.gz", "standards.json",
      ]),
    .c("CWebAssets", exclude: ["ui"]),
    .c("CZBar"),
  ])

// What any program needs.
let base = District(
  "Base",
  [
    Room("SafeText", tests: []),
    Room("Diagnosis", uses: ["SafeText"], tests: []),
    Room("FileOutput", uses: ["Diagnosis", "SafeText"], tests: ["Diagnosis", "LunaTesting"]),
    // On OpenSSL here; on BearSSL in firmware, which scripts/firmware compiles.
    Room(
      "LunaCrypto", .pure,
      uses: ["COpenSSL", "Diagnosis"],
      exclude: ["BearSSL"],
      tests: ["Diagnosis"]),
    Room("LunaJSON", uses: ["Diagnosis", "SafeText"], tests: []),
    // Tokens that an issuer has signed, and its keys.
    Room(
      "JSONWebToken", .pure,
      uses: ["LunaCrypto", "LunaJSON"],
      tests: ["COpenSSL", "LunaCrypto", "LunaJSON", "LunaTesting"]),
    Room(
      "CommandSpec",
      uses: ["LunaJSON", "SafeText"],
      tests: ["LunaTesting"],
      testData: ["Snapshots"]),
    Room("EventLoop", uses: ["CLinux"], tests: ["LunaTesting"]),
    Room("ServiceManager", uses: ["CLinux"], tests: ["LunaTesting"]),
    Room(
      "ChildProcess",
      uses: ["CLinux", "EventLoop", "FileOutput", "SafeText"],
      tests: ["LunaTesting"]),
    Room("SQLite", uses: ["CSQLite", "FileOutput"], tests: ["LunaTesting"]),
    Room(
      "MQTT",
      uses: ["CMosquitto", "Diagnosis", "EventLoop", "SafeText"],
      tests: ["Diagnosis", "LunaTesting"]),
    Room("TLSStream", uses: ["CLinux", "CTLS", "Diagnosis"], tests: ["Diagnosis", "LunaTesting"]),
    Room("Gzip", uses: ["CZlib", "Diagnosis"], tests: []),
    Room("QRCodes", uses: ["CQREncode", "Gzip", "SafeText"], tests: []),
    Room(
      "SystemBus",
      uses: ["CDBus", "CLinux", "Diagnosis", "EventLoop", "SafeText"],
      tests: ["CDBus", "EventLoop", "LunaTesting"]),
  ])

// From and to the radio.
let air = District(
  "Air",
  [
    Room("Bluetooth", .pure, uses: ["Diagnosis"], tests: ["Diagnosis", "LunaTesting"]),
    // A controller as a tracker's radio, here and in firmware.
    Room(
      "PeripheralHost", .pure,
      uses: ["Bluetooth"],
      tests: ["Bluetooth", "LunaProtocol", "LunaTesting", "TrackerMachine"]),
    Room(
      "HCIHost",
      uses: ["Bluetooth", "CLinux", "Diagnosis", "EventLoop", "PeripheralHost"],
      tests: ["Bluetooth", "Diagnosis", "EventLoop", "LunaTesting", "PeripheralHost"]),
    Room(
      "BlueZ",
      uses: [
        "Bluetooth", "CBlueZ", "CLinux", "Diagnosis", "EventLoop", "FileOutput", "HCIHost",
        "PeripheralHost", "SafeText", "SystemBus",
      ],
      tests: [
        "Bluetooth", "CDBus", "CLinux", "Diagnosis", "EventLoop", "HCIHost", "LunaTesting",
        "SystemBus",
      ]),
    Room(
      "Captures",
      uses: ["Bluetooth", "CLinux", "Diagnosis", "EventLoop", "FileOutput"],
      tests: ["Bluetooth", "Diagnosis", "LunaTesting"]),
    Room(
      "VirtualRadio",
      uses: ["Bluetooth", "CLinux", "EventLoop"],
      tests: ["Beacons", "Bluetooth", "LunaTesting"]),
  ])

// What trackers say and do.
let tracker = District(
  "Tracker",
  [
    // What of the protocol is on the air, which LunaProtocol exports: reading it needs no cryptography.
    Room(
      "LunaFrames", .pure,
      uses: ["Bluetooth", "Diagnosis"],
      tests: ["Bluetooth", "LunaTesting"]),
    Room(
      "LunaProtocol", .pure,
      uses: ["Bluetooth", "Diagnosis", "LunaCrypto", "LunaFrames"],
      tests: ["Bluetooth", "LunaCrypto", "LunaJSON", "LunaTesting", "LunaVectors"]),
    Room(
      "Beacons", .pure,
      uses: ["Bluetooth", "LunaFrames"],
      tests: ["Bluetooth", "LunaCrypto", "LunaProtocol", "LunaTesting"]),
    Room(
      "TrackerMachine", .pure,
      uses: ["Bluetooth", "LunaCrypto", "LunaProtocol"],
      tests: ["Bluetooth", "LunaCrypto", "LunaProtocol", "LunaTesting", "VirtualRadio"]),
    // What a board adds to it: flash, button, sound, entropy, watchdog, console. In no program here.
    Room(
      "TrackerBoard", .pure,
      uses: ["Bluetooth", "LunaCrypto", "LunaProtocol", "PeripheralHost", "TrackerMachine"],
      tests: ["Bluetooth", "LunaCrypto", "LunaProtocol", "LunaTesting", "TrackerMachine"]),
    Room(
      "LunaTracker",
      uses: [
        "Bluetooth", "Diagnosis", "EventLoop", "FileOutput", "LunaCrypto", "LunaProtocol",
        "TrackerMachine",
      ],
      tests: [
        "Bluetooth", "Diagnosis", "LunaCrypto", "LunaProtocol", "LunaTesting", "TrackerMachine",
      ]),
    Room(
      "TrackerSimulation",
      uses: [
        "Bluetooth", "Diagnosis", "EventLoop", "LunaCrypto", "LunaProtocol", "LunaTracker",
        "TrackerMachine", "VirtualRadio",
      ],
      tests: [
        "Bluetooth", "LunaCrypto", "LunaProtocol", "LunaTesting", "LunaTracker", "TrackerMachine",
        "VirtualRadio",
      ]),
    Room(
      "LunaVectors",
      uses: ["Bluetooth", "CLunaVectors", "Gzip", "LunaCrypto", "LunaJSON", "LunaProtocol"]),
  ])

// The five modules, what connects them, and the façade over all of it.
let luna = District(
  "Luna",
  [
    Room(
      "LunaCore",
      uses: [
        "Bluetooth", "CLinux", "Diagnosis", "LunaCrypto", "LunaJSON", "LunaProtocol", "SafeText",
      ],
      tests: [
        "Bluetooth", "Diagnosis", "LunaCrypto", "LunaJSON", "LunaProtocol", "LunaTesting",
        "SafeText",
      ]),
    Room(
      "LunaWire",
      uses: ["Bluetooth", "LunaCore", "LunaJSON", "LunaProtocol", "SafeText"],
      tests: ["Bluetooth", "LunaCore", "LunaJSON", "LunaProtocol"]),
    Room(
      "LunaStore",
      uses: [
        "Bluetooth", "Diagnosis", "EventLoop", "FileOutput", "LunaCore", "LunaCrypto", "LunaJSON",
        "LunaProtocol", "LunaWire", "SQLite",
      ],
      tests: [
        "Bluetooth", "Diagnosis", "LunaCore", "LunaCrypto", "LunaJSON", "LunaProtocol", "LunaShare",
        "LunaTesting", "SQLite",
      ]),
    Room(
      "LunaLocation",
      uses: [
        "Bluetooth", "CLinux", "Diagnosis", "EventLoop", "LunaCore", "LunaJSON", "SafeText",
        "SystemBus",
      ],
      tests: ["Bluetooth", "Diagnosis", "LunaCore", "LunaTesting", "SystemBus"]),
    Room(
      "LunaClient",
      uses: [
        "Bluetooth", "CCurl", "Diagnosis", "EventLoop", "Gzip", "LunaCore", "LunaCrypto",
        "LunaJSON", "LunaProtocol", "LunaWire", "SafeText",
      ],
      tests: [
        "Bluetooth", "CCurl", "Diagnosis", "HTTPServer", "LunaBackend", "LunaCore", "LunaCrypto",
        "LunaJSON", "LunaProtocol", "LunaTesting", "SafeText",
      ]),
    Room(
      "LunaLocal",
      uses: ["Beacons", "Bluetooth", "Diagnosis", "LunaCore", "LunaCrypto", "LunaProtocol"],
      tests: [
        "Bluetooth", "Diagnosis", "LunaCore", "LunaCrypto", "LunaProtocol", "LunaShare",
        "LunaTesting",
      ]),
    Room(
      "LunaFinder",
      uses: [
        "Beacons", "Bluetooth", "Diagnosis", "LunaCore", "LunaCrypto", "LunaJSON", "LunaProtocol",
      ],
      tests: [
        "Beacons", "Bluetooth", "LunaCore", "LunaCrypto", "LunaJSON", "LunaProtocol", "LunaTesting",
        "SafeText",
      ]),
    // Whether somebody else's tracker stays with you.
    Room(
      "LunaWatch", .pure,
      uses: ["Beacons", "Bluetooth", "LunaCore", "LunaProtocol"],
      tests: ["Beacons", "Bluetooth"]),
    Room(
      "LunaOwner",
      uses: [
        "Bluetooth", "Diagnosis", "LunaCore", "LunaCrypto", "LunaJSON", "LunaProtocol", "SafeText",
      ],
      tests: [
        "Bluetooth", "Diagnosis", "LunaCore", "LunaCrypto", "LunaProtocol", "LunaShare",
        "LunaTesting",
      ]),
    Room(
      "LunaBuzzer",
      uses: ["Beacons", "Bluetooth", "Diagnosis", "LunaCore", "LunaCrypto", "LunaProtocol"],
      tests: [
        "Bluetooth", "Diagnosis", "LunaCore", "LunaCrypto", "LunaOwner", "LunaProtocol",
        "LunaShare", "LunaTesting", "TrackerMachine",
      ]),
    Room(
      "LunaOnboarder",
      uses: ["Bluetooth", "Diagnosis", "LunaCore", "LunaCrypto", "LunaProtocol"],
      tests: [
        "Bluetooth", "Diagnosis", "LunaCore", "LunaCrypto", "LunaLocal", "LunaProtocol",
        "LunaStore", "LunaTesting", "LunaTracker", "TrackerMachine", "TrackerSimulation",
        "VirtualRadio",
      ]),
    // What all of this looks like as JSON and CSV, and how it is filtered.
    Room(
      "LunaDocuments",
      uses: [
        "Beacons", "Bluetooth", "Diagnosis", "EventLoop", "FileOutput", "LunaBuzzer", "LunaCore",
        "LunaCrypto", "LunaFinder", "LunaJSON", "LunaLocal", "LunaOnboarder", "LunaOwner",
        "LunaProtocol", "LunaTracker", "LunaWatch", "SafeText", "TrackerMachine",
      ],
      tests: [
        "Beacons", "Bluetooth", "Diagnosis", "EventLoop", "LunaBuzzer", "LunaCore", "LunaCrypto",
        "LunaFinder", "LunaLocal", "LunaOnboarder", "LunaProtocol", "LunaTesting", "LunaWatch",
        "SafeText",
      ]),
    Room(
      "Luna",
      uses: [
        "Bluetooth", "BlueZ", "Captures", "Diagnosis", "EventLoop", "FileOutput", "HCIHost",
        "LunaBuzzer", "LunaClient", "LunaCore", "LunaCrypto", "LunaFinder", "LunaLocal",
        "LunaLocation", "LunaOnboarder", "LunaOwner", "LunaProtocol", "LunaShare", "LunaStore",
        "SafeText", "TrackerSimulation",
      ],
      tests: [
        "Bluetooth", "BlueZ", "Diagnosis", "LunaCrypto", "LunaShare", "LunaTesting", "LunaTracker",
        "TrackerMachine", "TrackerSimulation",
      ]),
    // A tracker given to another person for a time.
    Room(
      "LunaShare", .pure,
      uses: [
        "Bluetooth", "Diagnosis", "JSONWebToken", "LunaCore", "LunaCrypto", "LunaJSON",
        "LunaProtocol",
      ],
      tests: ["Bluetooth", "LunaCore", "LunaCrypto", "LunaJSON", "LunaProtocol", "LunaVectors"]),
    // What is in the way of a scan, a connection or a gateway, and what to do about it.
    Room(
      "LunaDoctor",
      uses: [
        "Bluetooth", "BlueZ", "ChildProcess", "CLinux", "Diagnosis", "EventLoop", "FileOutput",
        "LunaClient", "LunaCore", "LunaFinder", "LunaLocation", "LunaStore", "SafeText",
      ],
      tests: [
        "Bluetooth", "BlueZ", "Diagnosis", "LunaClient", "LunaCore", "LunaLocation", "LunaStore",
        "LunaTesting",
      ]),
    // What a program records of itself, kept and sent.
    Room(
      "LunaTelemetry",
      uses: ["Bluetooth", "Diagnosis", "LunaCore", "LunaStore", "SafeText"],
      tests: ["Bluetooth", "Diagnosis", "LunaCore", "LunaStore", "LunaTesting"]),
    // Who is signed in, for gateways, owners and programs.
    Room(
      "LunaAccount",
      uses: [
        "Bluetooth", "ChildProcess", "Diagnosis", "EventLoop", "FileOutput", "JSONWebToken",
        "LunaClient", "LunaCore", "LunaCrypto", "LunaJSON", "LunaProtocol", "LunaStore",
        "LunaTelemetry", "SafeText",
      ],
      tests: [
        "Bluetooth", "EventLoop", "FileOutput", "HTTPServer", "JSONWebToken", "LunaClient",
        "LunaCore", "LunaCrypto", "LunaJSON", "LunaStore", "LunaTesting", "SafeText",
      ]),
    // The whole for other languages: scripts/package makes libluna of it.
    Room(
      "LunaC",
      uses: [
        "Bluetooth", "BlueZ", "Captures", "CLuna", "Diagnosis", "Luna", "LunaCore", "LunaCrypto",
        "LunaDocuments", "LunaLocal", "LunaOwner", "LunaProtocol", "LunaStore", "TrackerSimulation",
      ],
      tests: [
        "Bluetooth", "CLuna", "EventLoop", "LunaCore", "LunaProtocol", "LunaStore", "LunaTesting",
        "TrackerMachine", "TrackerSimulation",
      ]),
  ])

// Servers.
let service = District(
  "Service",
  [
    Room(
      "HTTPServer",
      uses: ["CMicroHTTPD", "Diagnosis", "Gzip", "LunaJSON", "SafeText"],
      tests: ["FileOutput", "Gzip", "LunaJSON", "LunaTesting"]),
    // Who is at the other end of a web service: passwords, codes, secrets, limits; and what its endpoints take.
    Room(
      "WebAccess",
      uses: [
        "Bluetooth", "CWebAssets", "Diagnosis", "EventLoop", "Gzip", "HTTPServer", "LunaCore",
        "LunaCrypto", "LunaJSON", "LunaOwner", "LunaProtocol", "SafeText", "SQLite",
      ],
      tests: [
        "Bluetooth", "HTTPServer", "LunaCore", "LunaCrypto", "LunaJSON", "LunaOwner",
        "LunaProtocol",
      ]),
    Room(
      "LunaBackend",
      uses: [
        "Bluetooth", "ChildProcess", "CLinux", "CPostgreSQL", "Diagnosis", "EventLoop",
        "FileOutput", "HTTPServer", "JSONWebToken", "LunaAccount", "LunaClient", "LunaCore",
        "LunaCrypto", "LunaFleet", "LunaJSON", "LunaProtocol", "LunaWire", "QRCodes", "SafeText",
        "SQLite", "WebAccess",
      ],
      tests: [
        "Bluetooth", "Diagnosis", "EventLoop", "HTTPServer", "JSONWebToken", "LunaAccount",
        "LunaClient", "LunaCore", "LunaCrypto", "LunaFleet", "LunaJSON", "LunaProtocol",
        "LunaTesting", "LunaWire", "SafeText", "SQLite", "WebAccess",
      ]),
    // Is the network fair? Recordings, statistics and verdicts of the uplink check.
    Room(
      "UplinkProtocol", .pure,
      uses: ["Bluetooth", "Diagnosis", "LunaCrypto", "LunaJSON", "LunaProtocol", "SafeText"],
      tests: ["Diagnosis", "LunaJSON", "LunaTesting"],
      testData: ["Vectors.json"]),
    // Its sockets.
    Room(
      "LunaUplink",
      uses: [
        "Bluetooth", "CLinux", "Diagnosis", "EventLoop", "FileOutput", "Gzip", "HTTPServer",
        "LunaClient", "LunaCore", "LunaCrypto", "LunaJSON", "LunaStore", "SafeText", "TLSStream",
        "UplinkProtocol",
      ],
      tests: [
        "Bluetooth", "Diagnosis", "EventLoop", "Gzip", "HTTPServer", "LunaCrypto", "LunaJSON",
        "LunaProtocol", "LunaStore", "LunaTesting", "TLSStream", "UplinkProtocol",
      ]),
    // Records, labels, searches, undo, pictures and dashboards of a fleet of gateways.
    Room(
      "LunaFleet", .pure,
      uses: ["Bluetooth", "Diagnosis", "LunaCore", "LunaCrypto", "LunaJSON", "SafeText"],
      tests: ["Bluetooth", "LunaCore", "LunaCrypto", "LunaJSON"],
      testData: ["DashboardVectors.json", "PayloadVectors.json"]),
    // A page of numbers for Prometheus.
    Room("Prometheus", uses: ["EventLoop", "HTTPServer"], tests: ["HTTPServer"]),
    // What a home is told by MQTT, with the discovery of Home Assistant.
    Room(
      "LunaMQTT",
      uses: [
        "Bluetooth", "EventLoop", "FileOutput", "LunaCore", "LunaDocuments", "LunaFinder",
        "LunaJSON", "LunaLocal", "LunaProtocol", "MQTT",
      ],
      tests: [
        "Bluetooth", "FileOutput", "LunaCore", "LunaFinder", "LunaJSON", "LunaLocal",
        "LunaProtocol", "LunaTesting", "MQTT",
      ]),
    // Who else is told of what is heard: programs, webhooks, and whoever collects numbers.
    Room(
      "LunaOutlets",
      uses: [
        "Bluetooth", "ChildProcess", "Diagnosis", "EventLoop", "FileOutput", "LunaClient",
        "LunaCore", "LunaDocuments", "LunaFinder", "LunaLocal", "LunaProtocol", "LunaTracker",
        "Prometheus",
      ],
      tests: ["Bluetooth", "LunaFinder", "LunaTesting", "Prometheus"]),
    // A home of one's own: its file, its models and its rules.
    Room(
      "LunaHome",
      uses: [
        "Beacons", "Bluetooth", "ChildProcess", "CLinux", "Diagnosis", "EventLoop", "FileOutput",
        "Luna", "LunaBuzzer", "LunaCore", "LunaCrypto", "LunaDocuments", "LunaFinder", "LunaJSON",
        "LunaLocal", "LunaMQTT", "LunaOnboarder", "LunaOwner", "LunaProtocol", "LunaShare",
        "LunaStore", "LunaWatch", "MQTT", "Prometheus", "SafeText",
      ],
      tests: [
        "Beacons", "Bluetooth", "Diagnosis", "Luna", "LunaBuzzer", "LunaClient", "LunaCore",
        "LunaCrypto", "LunaJSON", "LunaLocal", "LunaOwner", "LunaProtocol", "LunaStore",
        "LunaTesting", "LunaWatch", "MQTT", "TrackerMachine", "TrackerSimulation",
      ],
      testData: ["Files"]),
    // The web app of a home, with its accounts and its API.
    Room(
      "LunaHomeWeb",
      uses: [
        "Bluetooth", "Diagnosis", "EventLoop", "FileOutput", "HTTPServer", "JSONWebToken", "Luna",
        "LunaAccount", "LunaClient", "LunaCore", "LunaCrypto", "LunaFinder", "LunaHome", "LunaJSON",
        "LunaNotify", "LunaProtocol", "LunaShare", "LunaStore", "Prometheus", "QRCodes", "SafeText",
        "SQLite", "WebAccess",
      ],
      tests: [
        "Bluetooth", "HTTPServer", "JSONWebToken", "Luna", "LunaClient", "LunaCore", "LunaCrypto",
        "LunaHome", "LunaJSON", "LunaNotify", "LunaProtocol", "LunaShare", "LunaStore",
        "LunaTesting", "LunaWatch", "TrackerSimulation", "WebAccess",
      ]),
    // Who is told what its rules say, over mail, HTTP and programs, and what waits for that.
    Room(
      "LunaNotify",
      uses: [
        "Bluetooth", "ChildProcess", "Diagnosis", "EventLoop", "JSONWebToken", "LunaClient",
        "LunaCore", "LunaCrypto", "LunaHome", "LunaJSON", "LunaProtocol", "LunaStore", "SafeText",
        "SQLite",
      ],
      tests: [
        "Bluetooth", "JSONWebToken", "LunaClient", "LunaCore", "LunaCrypto", "LunaHome", "LunaJSON",
        "LunaProtocol", "LunaStore", "LunaTesting", "SafeText", "SQLite",
      ]),
    // What Foundation says of the errors of all of them.
    Room(
      "LunaFoundation",
      uses: [
        "Bluetooth", "Diagnosis", "FileOutput", "Gzip", "HTTPServer", "LunaAccount", "LunaBackend",
        "LunaBuzzer", "LunaClient", "LunaCore", "LunaCrypto", "LunaDocuments", "LunaFinder",
        "LunaFleet", "LunaHome", "LunaJSON", "LunaLocal", "LunaLocation", "LunaOnboarder",
        "LunaOwner", "LunaProtocol", "LunaShare", "LunaTelemetry", "LunaTracker", "LunaUplink",
        "MQTT", "SystemBus", "UplinkProtocol",
      ],
      tests: ["Bluetooth", "Diagnosis", "LunaBuzzer", "LunaCore", "LunaOnboarder", "LunaProtocol"]),
  ])

// What a person types and sees.
let command = District(
  "Command",
  [
    // Tables on a terminal, of whatever.
    Room(
      "TerminalTable",
      uses: ["CLinux", "Diagnosis", "SafeText"],
      tests: ["Diagnosis", "LunaDocuments", "LunaTesting"],
      testData: ["Frames"]),
    // What is heard and what one has, as tables and lines for people.
    Room(
      "LunaTables",
      uses: [
        "Beacons", "Bluetooth", "LunaCore", "LunaDocuments", "LunaJSON", "LunaLocal", "LunaOwner",
        "LunaProtocol", "LunaWatch", "SafeText", "TerminalTable",
      ],
      tests: [
        "Bluetooth", "Diagnosis", "LunaCore", "LunaDocuments", "LunaJSON", "LunaOwner",
        "LunaProtocol", "TerminalTable",
      ]),
    Room(
      "LunaCLI", .program,
      uses: [
        "Beacons", "Bluetooth", "BlueZ", "Captures", "ChildProcess", "CLinux", "CommandSpec",
        "CZBar", "Diagnosis", "EventLoop", "FileOutput", "Gzip", "HTTPServer", "Luna",
        "LunaAccount", "LunaBackend", "LunaBuzzer", "LunaClient", "LunaCore", "LunaCrypto",
        "LunaDoctor", "LunaDocuments", "LunaFinder", "LunaFleet", "LunaHome", "LunaHomeWeb",
        "LunaJSON", "LunaLocal", "LunaLocation", "LunaMQTT", "LunaNotify", "LunaOnboarder",
        "LunaOutlets", "LunaOwner", "LunaProtocol", "LunaShare", "LunaStore", "LunaTables",
        "LunaTelemetry", "LunaTracker", "LunaUplink", "LunaVectors", "LunaWatch", "LunaWire",
        "MQTT", "Prometheus", "QRCodes", "SafeText", "ServiceManager", "SystemBus", "TerminalTable",
        "TrackerMachine", "TrackerSimulation", "UplinkProtocol", "VirtualRadio", "WebAccess",
      ],
      tests: [
        "Bluetooth", "Captures", "CommandSpec", "Diagnosis", "FileOutput", "LunaAccount",
        "LunaCore", "LunaCrypto", "LunaDoctor", "LunaDocuments", "LunaFinder", "LunaJSON",
        "LunaProtocol", "LunaStore", "LunaTesting", "LunaUplink", "QRCodes", "ServiceManager",
        "SystemBus", "TerminalTable", "UplinkProtocol",
      ],
      testData: ["Commands/Vocabulary.txt"]),
  ])

// Fakes and checkers that several test targets use.
let testing = Target.target(
  name: "LunaTesting",
  dependencies: [
    "Bluetooth", "HCIHost", "LunaCore", "LunaCrypto", "LunaProtocol", "PeripheralHost",
    "TrackerMachine",
  ],
  path: "Tests/LunaTesting",
  swiftSettings: Room.rules)

let package = Package(
  name: "luna",
  products: [.executable(name: "luna", targets: ["LunaCLI"])]
    + [
      "Beacons", "Bluetooth", "BlueZ", "Captures", "Diagnosis", "HCIHost", "HTTPServer", "Luna",
      "LunaAccount", "LunaBackend", "LunaBuzzer", "LunaClient", "LunaCore", "LunaCrypto",
      "LunaDoctor", "LunaDocuments", "LunaFinder", "LunaFleet", "LunaFoundation", "LunaFrames",
      "LunaHome", "LunaHomeWeb", "LunaJSON", "LunaLocal", "LunaLocation", "LunaMQTT",
      "LunaOnboarder", "LunaOwner", "LunaProtocol", "LunaShare", "LunaStore", "LunaTelemetry",
      "LunaTracker", "LunaWatch", "LunaWire", "MQTT", "Prometheus", "SafeText", "TerminalTable",
      "TrackerMachine", "TrackerSimulation", "VirtualRadio",
    ].map { .library(name: $0, targets: [$0]) }
    // All objects of libluna; scripts/package links them.
    + [.library(name: "LunaC", type: .static, targets: ["LunaC"])],
  targets: [ground, base, air, tracker, luna, service, command].flatMap(\.targets) + [testing],
  swiftLanguageModes: [.v6]
)

struct District {
  let name: String
  let rooms: [Room]

  init(_ name: String, _ rooms: [Room]) {
    self.name = name
    self.rooms = rooms
  }

  var targets: [Target] { rooms.flatMap { $0.targets(in: name) } }
}

struct Room {
  /// What every Swift target is held to.
  static let rules: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ]
  /// `Double.rounded()` and its kind are functions of libm, which Swift links by itself only where
  /// Glibc is imported.
  static let links: [LinkerSetting] = [.linkedLibrary("m")]

  enum Kind: Equatable {
    /// Swift.
    case plain
    /// Bytes in, values out, no I/O: held to strict memory safety as well.
    case pure
    case program
    case c(exclude: [String])
    case library(pkgConfig: String, package: String)
  }

  let name: String
  let kind: Kind
  let uses: [Target.Dependency]
  /// What of its folder is not for Linux.
  let exclude: [String]
  /// What its tests use besides it; nil where it has none.
  let tests: [Target.Dependency]?
  let testData: [String]

  init(
    _ name: String, _ kind: Kind = .plain, uses: [Target.Dependency] = [], exclude: [String] = [],
    tests: [Target.Dependency]? = nil, testData: [String] = []
  ) {
    self.name = name
    self.kind = kind
    self.uses = uses
    self.exclude = exclude
    self.tests = tests
    self.testData = testData
  }

  static func c(_ name: String, exclude: [String] = []) -> Room {
    Room(name, .c(exclude: exclude))
  }

  static func library(_ name: String, pkgConfig: String, package: String) -> Room {
    Room(name, .library(pkgConfig: pkgConfig, package: package))
  }

  /// Whether programs are built that are installed (scripts/lib/common.sh says LUNA_SMALL): what of them waits for
  /// people, radios and disks is small rather than fast. Only there: a package with such a flag cannot be used by
  /// another.
  static let isSmall = Context.environment["LUNA_SMALL"] != nil
  /// Rooms through which all goes that is heard, stored or sent, and what is in no program that is installed.
  static let fast: Set = [
    "Beacons", "Bluetooth", "Captures", "EventLoop", "Gzip", "LunaC", "LunaCrypto",
    "LunaFoundation", "LunaFrames", "LunaJSON", "LunaWire", "SafeText", "TrackerBoard",
  ]

  func targets(in district: String) -> [Target] {
    let path = "Sources/\(district)/\(name)"
    // What many functions have in common is written once: 400 kB of the command.
    let size: [SwiftSetting] =
      Room.isSmall && !Room.fast.contains(name)
      ? [
        .unsafeFlags(
          ["-Osize", "-Xllvm", "-enable-machine-outliner=always"], .when(configuration: .release))
      ] : []
    let target: Target =
      switch kind {
      case .plain, .pure:
        .target(
          name: name, dependencies: uses, path: path, exclude: exclude,
          swiftSettings: Room.rules + (kind == .pure ? [.strictMemorySafety()] : []) + size,
          linkerSettings: Room.links)
      case .program:
        .executableTarget(
          name: name, dependencies: uses, path: path, swiftSettings: Room.rules + size,
          linkerSettings: Room.links)
      case .c(let exclude):
        .target(
          name: name, path: path, exclude: exclude,
          cSettings: Room.isSmall
            ? [.define("LUNA_PACKED", .when(configuration: .release))] : [])
      case .library(let pkgConfig, let package):
        .systemLibrary(name: name, path: path, pkgConfig: pkgConfig, providers: [.apt([package])])
      }
    guard let tests else { return [target] }
    let name = "\(name)Tests"
    return [
      target,
      .testTarget(
        name: name, dependencies: [.target(name: self.name)] + tests,
        path: "Tests/\(district)/\(name)", exclude: testData, swiftSettings: Room.rules),
    ]
  }
}

extension Package {
  /// Adds a program for those who work on Luna; it is built only when asked for.
  func addTool(
    _ name: String, at path: String, uses: [Target.Dependency], exclude: [String] = []
  ) {
    products.append(.executable(name: name, targets: [name]))
    targets.append(
      .executableTarget(
        name: name, dependencies: uses, path: path, exclude: exclude, swiftSettings: Room.rules))
  }
}

// The fuzzers (scripts/fuzz): `fuzz` with instrumentation, and `mutate` as everything else is.
let fuzzing = Context.environment["LUNA_FUZZ"]
if fuzzing != nil {
  package.targets.append(
    .target(
      name: "FuzzParsers",
      dependencies: [
        "Beacons", "Bluetooth", "CommandSpec", "JSONWebToken", "LunaCore", "LunaCrypto",
        "LunaFleet", "LunaHome", "LunaJSON", "LunaOwner", "LunaProtocol", "LunaShare", "LunaWire",
        "PeripheralHost", "SafeText", "UplinkProtocol",
      ],
      path: "scripts/lib/fuzz/Parsers", swiftSettings: Room.rules))
}
if fuzzing == "fuzz" {
  package.targets.append(.target(name: "CFuzzer", path: "scripts/lib/fuzz/CFuzzer"))
  package.addTool(
    "luna-fuzz", at: "scripts/lib/fuzz/Fuzzer",
    uses: [
      "Bluetooth", "CFuzzer", "Diagnosis", "FuzzParsers", "HTTPServer", "LunaBackend", "LunaCore",
      "LunaCrypto", "LunaFinder", "LunaLocal", "LunaLocation", "LunaOwner", "LunaProtocol",
    ])
} else if fuzzing == "mutate" {
  package.addTool("luna-mutate", at: "scripts/lib/fuzz/Mutator", uses: ["FuzzParsers"])
}

// The benchmarks (scripts/bench, scripts/load).
if Context.environment["LUNA_BENCH"] != nil {
  package.addTool(
    "luna-bench", at: "scripts/lib/bench",
    uses: [
      "Bluetooth", "CSQLite", "LunaCore", "LunaCrypto", "LunaFinder", "LunaLocal", "LunaProtocol",
      "LunaStore", "LunaTelemetry", "UplinkProtocol",
    ],
    exclude: [
      "backend.py", "finder.py", "generate_capture.py", "generate_day.py", "home.py",
      "home_history.py", "idle.py", "plain_server.py", "share.py", "telemetry.py", "watch.py",
    ])
  // CLinux has what scripts/lib/release.ld asks for.
  package.addTool("luna-load", at: "scripts/lib/load", uses: ["CLinux"])
}

// The checks that every GATT client passes (Tests/integration/run).
if Context.environment["LUNA_CONFORMANCE"] != nil {
  package.addTool("luna-gatt-conformance", at: "Tests/conformance", uses: ["Bluetooth", "BlueZ"])
}
