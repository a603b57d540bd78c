// swift-tools-version: 6.2
import PackageDescription

// Every Swift target is held to the same rules; the pure ones (bytes in, values out, no I/O) also
// to strict memory safety.
let rules: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]
let pure = rules + [.strictMemorySafety()]

let package = Package(
  name: "luna",
  products: [
    .executable(name: "luna", targets: ["luna"]),
    .library(name: "Luna", targets: ["Luna"]),
    .library(name: "SafeText", targets: ["SafeText"]),
    .library(name: "Bluetooth", targets: ["Bluetooth"]),
    .library(name: "Beacons", targets: ["Beacons"]),
    .library(name: "BlueZ", targets: ["BlueZ"]),
    .library(name: "Captures", targets: ["Captures"]),
    .library(name: "VirtualRadio", targets: ["VirtualRadio"]),
    .library(name: "LunaProtocol", targets: ["LunaProtocol"]),
    .library(name: "LunaCore", targets: ["LunaCore"]),
    .library(name: "LunaLocal", targets: ["LunaLocal"]),
    .library(name: "LunaLocation", targets: ["LunaLocation"]),
    .library(name: "LunaStore", targets: ["LunaStore"]),
    .library(name: "LunaFinder", targets: ["LunaFinder"]),
    .library(name: "LunaOwner", targets: ["LunaOwner"]),
    .library(name: "LunaBuzzer", targets: ["LunaBuzzer"]),
    .library(name: "LunaOnboarder", targets: ["LunaOnboarder"]),
    .library(name: "LunaTracker", targets: ["LunaTracker"]),
    .library(name: "LunaClient", targets: ["LunaClient"]),
    .library(name: "LunaBackend", targets: ["LunaBackend"]),
  ],
  traits: [
    .trait(
      name: "PostgreSQL",
      description: "LunaBackend can keep its data in PostgreSQL (libpq), besides SQLite."),
    .default(enabledTraits: []),
  ],
  targets: [
    // ground: one C module per library or kernel interface
    .target(name: "CLinux"),
    .target(name: "CLunaVectors", exclude: ["luna-v1.json", "standards.json"]),
    .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    // These two are loaded when they are used; their headers are needed to build.
    .target(name: "CCurl"),
    .target(name: "CMicroHTTPD"),
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),

    // text that others wrote: what every room above may need
    .target(name: "SafeText", swiftSettings: rules),

    .target(name: "FileOutput", dependencies: ["SafeText"], swiftSettings: rules),

    // floor 0
    .target(name: "Bluetooth", dependencies: ["SafeText"], swiftSettings: pure),
    .target(name: "LunaCrypto", dependencies: ["COpenSSL"], swiftSettings: pure),
    .target(name: "LunaJSON", dependencies: ["SafeText"], swiftSettings: rules),
    .target(name: "CommandSpec", dependencies: ["SafeText"], swiftSettings: rules),

    // floor 1
    .target(
      name: "LunaProtocol", dependencies: ["Bluetooth", "LunaCrypto"], swiftSettings: pure),

    .target(name: "EventLoop", dependencies: ["CLinux"], swiftSettings: rules),
    .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: rules),
    .target(name: "Gzip", dependencies: ["CZlib"], swiftSettings: rules),

    // floor 2
    .target(
      name: "LunaVectors",
      dependencies: ["CLunaVectors", "Bluetooth", "LunaCrypto", "LunaJSON", "LunaProtocol"],
      swiftSettings: rules),
    .target(name: "Beacons", dependencies: ["Bluetooth", "LunaProtocol"], swiftSettings: pure),
    .target(
      name: "SystemBus", dependencies: ["CDBus", "CLinux", "EventLoop", "SafeText"],
      swiftSettings: rules),

    // where the rooms above meet: models and small protocols
    .target(
      name: "LunaCore",
      dependencies: ["Bluetooth", "LunaCrypto", "LunaJSON", "LunaProtocol", "SafeText"],
      swiftSettings: rules),

    // floor 3
    .target(
      name: "BlueZ",
      dependencies: ["Bluetooth", "CLinux", "EventLoop", "SafeText", "SystemBus"],
      swiftSettings: rules),
    .target(
      name: "LunaStore",
      dependencies: [
        "Bluetooth", "LunaCore", "LunaCrypto", "LunaJSON", "LunaProtocol", "SQLite",
      ],
      swiftSettings: rules),
    .target(
      name: "LunaLocation",
      dependencies: [
        "Bluetooth", "CLinux", "EventLoop", "LunaCore", "LunaJSON", "SafeText", "SystemBus",
      ],
      swiftSettings: rules),
    .target(
      name: "LunaClient",
      dependencies: [
        "Bluetooth", "CCurl", "Gzip", "LunaCore", "LunaCrypto", "LunaJSON", "LunaProtocol",
        "SafeText",
      ],
      swiftSettings: rules),
    .target(
      name: "Captures", dependencies: ["Bluetooth", "CLinux", "FileOutput"], swiftSettings: rules),
    .target(name: "VirtualRadio", dependencies: ["Bluetooth"], swiftSettings: rules),

    // floor 4
    .target(
      name: "LunaTracker",
      dependencies: [
        "Bluetooth", "LunaProtocol", "LunaCrypto", "VirtualRadio", "BlueZ", "SafeText",
      ],
      swiftSettings: rules),

    .target(
      name: "LunaLocal",
      dependencies: ["Bluetooth", "Beacons", "LunaCore", "LunaCrypto", "LunaProtocol"],
      swiftSettings: rules),

    .target(
      name: "LunaFinder",
      dependencies: [
        "Bluetooth", "LunaCore", "LunaCrypto", "LunaJSON", "LunaProtocol", "SafeText",
      ],
      swiftSettings: rules),

    .target(
      name: "LunaOwner",
      dependencies: [
        "Bluetooth", "LunaCore", "LunaCrypto", "LunaJSON", "LunaProtocol", "SafeText",
      ],
      swiftSettings: rules),

    .target(
      name: "LunaBackend",
      dependencies: [
        "Bluetooth", "CMicroHTTPD", "Gzip", "LunaCore", "LunaCrypto", "LunaJSON", "LunaProtocol",
        "SafeText", "SQLite",
        .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
      ],
      swiftSettings: rules),

    .target(
      name: "LunaBuzzer",
      dependencies: ["Bluetooth", "LunaCore", "LunaCrypto", "LunaProtocol", "SafeText"],
      swiftSettings: rules),

    .target(
      name: "LunaOnboarder",
      dependencies: ["Bluetooth", "LunaCore", "LunaCrypto", "LunaProtocol", "SafeText"],
      swiftSettings: rules),

    // floor 5: everything put together
    .target(
      name: "Luna",
      dependencies: [
        "Bluetooth", "BlueZ", "LunaBuzzer", "LunaClient", "LunaCore", "LunaFinder", "LunaLocal",
        "LunaLocation", "LunaOnboarder", "LunaOwner", "LunaProtocol", "LunaStore",
        "SafeText",
      ],
      swiftSettings: rules),

    // floor 6
    .executableTarget(
      name: "luna",
      dependencies: [
        "Bluetooth", "Beacons", "BlueZ", "Captures", "VirtualRadio", "CommandSpec", "CLinux",
        "FileOutput",
        "Luna", "LunaBackend", "LunaBuzzer", "LunaClient", "LunaCore", "LunaCrypto", "LunaFinder",
        "LunaJSON", "LunaLocal", "LunaLocation", "LunaOnboarder", "LunaOwner", "LunaProtocol",
        "LunaStore", "LunaTracker", "LunaVectors", "SafeText",
      ],
      swiftSettings: rules),

    // fakes and checkers that several test targets use
    .target(
      name: "LunaTesting", dependencies: ["Bluetooth"], path: "Tests/LunaTesting",
      swiftSettings: rules),

    .testTarget(name: "FileOutputTests", dependencies: ["FileOutput"], swiftSettings: rules),
    .testTarget(name: "SafeTextTests", dependencies: ["SafeText"], swiftSettings: rules),
    .testTarget(name: "SQLiteTests", dependencies: ["SQLite"], swiftSettings: rules),
    .testTarget(name: "BluetoothTests", dependencies: ["Bluetooth"], swiftSettings: rules),
    .testTarget(name: "EventLoopTests", dependencies: ["EventLoop"], swiftSettings: rules),
    .testTarget(
      name: "SystemBusTests", dependencies: ["SystemBus", "EventLoop", "CDBus", "LunaTesting"],
      swiftSettings: rules),
    .testTarget(
      name: "BlueZTests",
      dependencies: [
        "BlueZ", "Bluetooth", "CDBus", "CLinux", "EventLoop", "LunaTesting", "SystemBus",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "CapturesTests", dependencies: ["Bluetooth", "Captures"], swiftSettings: rules),
    .testTarget(
      name: "lunaTests",
      dependencies: [
        "luna", "Beacons", "Bluetooth", "Captures", "CommandSpec", "LunaCore", "LunaCrypto",
        "LunaJSON", "LunaProtocol", "LunaTesting", "SafeText",
      ],
      exclude: ["Commands/Vocabulary.txt", "Table/Frames"], swiftSettings: rules),
    .testTarget(
      name: "CommandSpecTests", dependencies: ["CommandSpec"], exclude: ["Snapshots"],
      swiftSettings: rules),
    .testTarget(
      name: "BeaconsTests", dependencies: ["Bluetooth", "Beacons", "LunaProtocol"],
      swiftSettings: rules),
    .testTarget(
      name: "VirtualRadioTests", dependencies: ["Bluetooth", "Beacons", "VirtualRadio"],
      swiftSettings: rules),
    .testTarget(
      name: "LunaProtocolTests",
      dependencies: ["Bluetooth", "LunaProtocol", "LunaCrypto", "LunaJSON", "LunaVectors"],
      swiftSettings: rules),
    .testTarget(
      name: "LunaCoreTests",
      dependencies: [
        "Bluetooth", "LunaCore", "LunaCrypto", "LunaJSON", "LunaProtocol", "SafeText",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "LunaLocalTests",
      dependencies: [
        "Bluetooth", "LunaCore", "LunaCrypto", "LunaLocal", "LunaProtocol",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "LunaStoreTests",
      dependencies: [
        "Bluetooth", "LunaCore", "LunaCrypto", "LunaJSON", "LunaProtocol", "LunaStore",
        "LunaTesting", "SQLite",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "LunaClientTests",
      dependencies: [
        "Bluetooth", "LunaBackend", "LunaClient", "LunaCore", "LunaCrypto", "LunaJSON",
        "LunaProtocol", "SafeText",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "LunaBackendTests",
      dependencies: [
        "Bluetooth", "LunaBackend", "LunaCore", "LunaCrypto", "LunaJSON", "LunaProtocol", "SQLite",
        "SafeText",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "LunaLocationTests",
      dependencies: ["Bluetooth", "LunaCore", "LunaLocation", "SystemBus"], swiftSettings: rules),
    .testTarget(
      name: "LunaFinderTests",
      dependencies: [
        "Bluetooth", "LunaCore", "LunaFinder", "LunaJSON", "LunaProtocol", "SafeText",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "LunaOwnerTests",
      dependencies: [
        "Bluetooth", "LunaCore", "LunaCrypto", "LunaOwner", "LunaProtocol",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "LunaBuzzerTests",
      dependencies: [
        "Bluetooth", "LunaBuzzer", "LunaCore", "LunaCrypto", "LunaOwner", "LunaProtocol",
        "LunaTracker",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "LunaOnboarderTests",
      dependencies: [
        "Bluetooth", "LunaCore", "LunaCrypto", "LunaLocal", "LunaOnboarder", "LunaProtocol",
        "LunaStore", "LunaTesting", "LunaTracker", "VirtualRadio",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "LunaTrackerTests",
      dependencies: [
        "LunaTracker", "LunaTesting", "BlueZ", "Bluetooth", "LunaProtocol", "LunaCrypto",
        "VirtualRadio",
      ],
      swiftSettings: rules),
    .testTarget(
      name: "LunaTests", dependencies: ["Bluetooth", "Luna", "LunaTracker"], swiftSettings: rules),
    .testTarget(name: "GzipTests", dependencies: ["Gzip"], swiftSettings: rules),
    .testTarget(name: "LunaCryptoTests", dependencies: ["LunaCrypto"], swiftSettings: rules),
  ],
  swiftLanguageModes: [.v6]
)

// The fuzzers (scripts/fuzz) are built only when asked for: `fuzz` with instrumentation, and `mutate`
// as everything else is.
let fuzzing = Context.environment["LUNA_FUZZ"]
if fuzzing != nil {
  package.targets.append(
    .target(
      name: "FuzzParsers",
      dependencies: [
        "Bluetooth", "Beacons", "BlueZ", "CommandSpec", "LunaCore", "LunaCrypto", "LunaJSON",
        "LunaOwner", "LunaProtocol",
      ],
      path: "scripts/fuzzing/Parsers", swiftSettings: rules))
}
if fuzzing == "fuzz" {
  package.products.append(.executable(name: "luna-fuzz", targets: ["luna-fuzz"]))
  package.targets += [
    .target(name: "CFuzzer", path: "scripts/fuzzing/CFuzzer"),
    .executableTarget(
      name: "luna-fuzz",
      dependencies: [
        "Bluetooth", "CFuzzer", "FuzzParsers", "LunaBackend", "LunaCore", "LunaCrypto",
        "LunaFinder", "LunaLocal", "LunaLocation", "LunaOwner", "LunaProtocol",
      ],
      path: "scripts/fuzzing/Fuzzer", swiftSettings: rules),
  ]
} else if fuzzing == "mutate" {
  package.products.append(.executable(name: "luna-mutate", targets: ["luna-mutate"]))
  package.targets.append(
    .executableTarget(
      name: "luna-mutate", dependencies: ["FuzzParsers"], path: "scripts/fuzzing/Mutator",
      swiftSettings: rules))
}

// The benchmarks (scripts/bench) are built only when asked for.
if Context.environment["LUNA_BENCH"] != nil {
  package.products.append(.executable(name: "luna-bench", targets: ["luna-bench"]))
  package.targets.append(
    .executableTarget(
      name: "luna-bench",
      dependencies: [
        "Bluetooth", "CSQLite", "LunaCore", "LunaCrypto", "LunaLocal", "LunaProtocol", "LunaStore",
      ],
      path: "scripts/benchmarks",
      exclude: ["backend.py", "finder.py", "generate_capture.py", "generate_day.py"],
      swiftSettings: rules))
  package.products.append(.executable(name: "luna-load", targets: ["luna-load"]))
  package.targets.append(
    .executableTarget(
      name: "luna-load", path: "scripts/load", swiftSettings: rules))
}

// The checks that every GATT client passes (Tests/integration/run) are built only when asked for.
if Context.environment["LUNA_CONFORMANCE"] != nil {
  package.products.append(
    .executable(name: "luna-gatt-conformance", targets: ["luna-gatt-conformance"]))
  package.targets.append(
    .executableTarget(
      name: "luna-gatt-conformance", dependencies: ["Bluetooth", "BlueZ"],
      path: "Tests/conformance", swiftSettings: rules))
}
