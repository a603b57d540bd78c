// swift-tools-version: 6.2
import PackageDescription

// A home with a class of devices and a screen of its own.
let package = Package(
  name: "garden",
  dependencies: [.package(name: "luna", path: "../../..")],
  targets: [
    .executableTarget(
      name: "garden",
      dependencies: [
        .product(name: "Luna", package: "luna"), .product(name: "LunaHome", package: "luna"),
        .product(name: "LunaHomeWeb", package: "luna"),
        .product(name: "LunaStore", package: "luna"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
