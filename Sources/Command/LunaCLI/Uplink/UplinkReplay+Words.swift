import LunaUplink

extension UplinkReplay {
  private static let appPrefix = "app:"

  /// The replays that words name: files of recordings, and lists of apps, of which `app:NAME` chooses some.
  static func read(words: [String]) async throws(UplinkError) -> [UplinkReplay] {
    let names = words.filter { $0.hasPrefix(appPrefix) }.map {
      String($0.dropFirst(appPrefix.count))
    }
    return try await read(words.filter { !$0.hasPrefix(appPrefix) }, apps: names)
  }
}
