import Testing

/// The program of all unit tests. SwiftPM would make one, and read an index of everything for the tests of
/// XCTest first, of which there are none: a build that needs no index takes two thirds of the time.
@main struct XCTMain {
  static func main() async {
    // `swift test` asks for those of XCTest too.
    guard CommandLine.arguments.contains("swift-testing") else { return }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
