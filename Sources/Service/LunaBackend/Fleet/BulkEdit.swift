import LunaFleet
import LunaJSON

/// What is done to many records at once.
struct BulkEdit: Sendable {
  static let limit = 1000

  /// Fields that all of them get.
  var set: RecordEdit
  var addTags: [String] = []
  var removeTags: [String] = []
  var removes = false

  /// The edit of one record.
  func edit(of gateway: Gateway) -> RecordEdit {
    guard !addTags.isEmpty || !removeTags.isEmpty else { return set }
    var tags = Set(gateway.tags)
    if case .array(let new)? = set.fields["tags"] {
      tags = Set(new.compactMap { if case .string(let tag) = $0 { tag } else { nil } })
    }
    tags = tags.subtracting(removeTags).union(addTags)
    return set.setting(tags: tags)
  }
}
