import Testing

@testable import LunaHome

/// Damaged files: whatever is in them, what is said and done holds.
@Suite struct MutationTests {
  @Test(.timeLimit(.minutes(10)), arguments: HomeFiles.names) func damagedFiles(
    _ name: String
  ) throws {
    let bytes = try HomeFiles.bytes(name)
    let pieces = ["{", "}", "[", "]", ",", ":", "\"", "'", "//", "/*", "*/", "\n", "\\", "1", "a "]
    var generator: UInt64 = 42
    func next(_ count: Int) -> Int {
      generator = generator &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(generator >> 33) % count
    }
    for _ in 0..<150 {
      var damaged = bytes
      for _ in 0...next(3) {
        let place = next(damaged.count + 1)
        switch next(3) {
        case 0: damaged.insert(contentsOf: pieces[next(pieces.count)].utf8, at: place)
        case 1: damaged.removeSubrange(place..<min(damaged.count, place + 1 + next(4)))
        default: if place < damaged.count { damaged[place] = UInt8(next(256)) }
        }
      }
      let file = HomeFile(damaged)
      #expect(file.problems.count <= 100)
      let mended = HomeFile(file.withCommas)
      try #require(mended.missingCommas == 0, "\(String(decoding: damaged, as: UTF8.self))")
      _ = file.settings
      if file.isUsable {
        #expect(file.missingCommas == 0)
        #expect(HomeFile(file.migrated).isUsable && !HomeFile(file.migrated).isOlder)
      }
    }
  }
}
