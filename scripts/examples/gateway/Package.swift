// swift-tools-version: 6.2
import PackageDescription

// Two gateways. The first follows trackers with a store of its own: it links neither SQLite nor libcurl.
// The second reports trackers of anybody, with everything that Luna puts together.
let package = Package(
  name: "gateway",
  dependencies: [.package(name: "luna", path: "../../..")],
  targets: [
    .executableTarget(
      name: "gateway",
      dependencies: [
        .product(name: "Bluetooth", package: "luna"),
        .product(name: "LunaCore", package: "luna"),
        .product(name: "LunaLocal", package: "luna"),
        .product(name: "LunaProtocol", package: "luna"),
        .product(name: "TrackerSimulation", package: "luna"),
        .product(name: "VirtualRadio", package: "luna"),
      ]),
    .executableTarget(
      name: "reporter",
      dependencies: [.product(name: "Luna", package: "luna")]),
  ],
  swiftLanguageModes: [.v6]
)
