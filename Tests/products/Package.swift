// swift-tools-version: 6.2
import PackageDescription

// A client of every product, as somebody else's package: each imports one product, links and runs
// (scripts/lib/check-products). Every second one is in the language mode of Swift 5; the other half
// when PRODUCTS_MODE is "other".
let products = [
  "Beacons", "BlueZ", "Bluetooth", "Captures", "Diagnosis", "HTTPServer", "Luna", "LunaAccount",
  "LunaBackend", "LunaBuzzer", "LunaClient", "LunaCore", "LunaDoctor", "LunaDocuments",
  "LunaFinder", "LunaFleet", "LunaFoundation", "LunaJSON", "LunaLocal", "LunaLocation", "LunaMQTT",
  "LunaOnboarder", "LunaOwner", "LunaProtocol", "LunaStore", "LunaTelemetry", "LunaTracker",
  "LunaWire", "MQTT", "Prometheus", "SafeText", "TerminalTable", "TrackerMachine",
  "TrackerSimulation", "VirtualRadio",
  "LunaHome", "LunaHomeWeb", "LunaShare", "LunaWatch", "LunaFrames", "LunaCrypto", "HCIHost",
]
let shift = Context.environment["PRODUCTS_MODE"] == "other" ? 1 : 0

let package = Package(
  name: "products",
  dependencies: [.package(name: "luna", path: "../..")],
  targets: products.enumerated().map { index, product in
    .executableTarget(
      name: "Use\(product)", dependencies: [.product(name: product, package: "luna")],
      swiftSettings: [.swiftLanguageMode((index + shift).isMultiple(of: 2) ? .v6 : .v5)])
  } + [
    // scripts/examples/home, built here with all the rest.
    .executableTarget(
      name: "garden",
      dependencies: ["Luna", "LunaHome", "LunaHomeWeb", "LunaStore"].map {
        .product(name: $0, package: "luna")
      })
  ]
)
