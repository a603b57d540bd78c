import LunaCore
public import LunaDocuments
public import TerminalTable

extension FilterExpression: TableExpression {}

extension TableLanguage {
  /// The language of `--filter`. A name may hold a sign of it as well; that one is found with
  /// `name ~ "…"`.
  ///
  /// - Parameters:
  ///   - zone: that of times without one.
  ///   - words: what is said of a filter that is wrong.
  package static func filters(
    of catalog: FieldCatalog, in zone: any CivilZone,
    _ words: @escaping @Sendable (FilterError) -> String
  ) -> TableLanguage {
    TableLanguage(
      names: (catalog.top + catalog.items).map(\.name),
      examples: [
        ("rssi > -60", "a field, == != < <= > >=, and a number or a \"text\""),
        ("name ~ \"(?i)key\"", "a regular expression"),
        ("rssi in {-70..-60}", "a set or a range"),
        ("has(name)", "the field is there"),
        ("a && b, a || b, !a", "or the words and, or, not"),
      ],
      example: "rssi > -60 && has(name)",
      signs: ["=", "<", ">", "~", "&&", "||", "{", "}", "[", "]", "\"", "has("]
    ) { text throws(TableMistake) in
      do throws(FilterError) {
        return try FilterParser.parse(text, catalog).meant(at: WallClock.system.now(), in: zone)
      } catch {
        throw TableMistake(text: words(error), position: error.position)
      }
    }
  }
}
