// swift-tools-version: 6.2
import PackageDescription

// A gateway that follows trackers with a store of its own: it links neither SQLite nor libcurl.
let package = Package(
  name: "gateway",
  dependencies: [.package(name: "luna", path: "../../..")],
  targets: [
    .executableTarget(
      name: "gateway",
      dependencies: [
        .product(name: "LunaLocal", package: "luna"), .product(name: "LunaCore", package: "luna"),
        .product(name: "LunaTracker", package: "luna"),
        .product(name: "VirtualRadio", package: "luna"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
