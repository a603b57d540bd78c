import Bluetooth
import LunaDocuments

/// Finds the models of trackers that the file gives none, by their advertisements (HOME.md 3.3): the
/// first one whose filters an advertisement passes.
struct ModelSearch {
  private var models: [(name: String, filters: [FilterEvaluator])] = []
  private var wanted: Set<String> = []
  private var found: [String: String] = [:]

  init() {}

  init(_ configuration: HomeConfiguration) {
    models = configuration.models.compactMap { model in
      guard !model.filters.isEmpty else { return nil }
      let filters = model.filters.compactMap { try? FilterParser.parse($0) }
      guard filters.count == model.filters.count else { return nil }
      return (model.name, filters.map { FilterEvaluator($0) })
    }
    guard !models.isEmpty else { return }
    wanted = Set(configuration.trackers.filter(\.takesModel).map(\.id))
  }

  /// Whether the advertisements of a tracker are of interest.
  func wants(_ id: String) -> Bool { wanted.contains(id) }

  /// Looks at an advertisement of a tracker.
  mutating func look(at report: AdvertisingReport, of id: String) {
    guard wants(id) else { return }
    for index in models.indices {
      var passes = true
      for filter in models[index].filters.indices where passes {
        passes = models[index].filters[filter].passes(report)
      }
      guard passes else { continue }
      found[id] = models[index].name
      wanted.remove(id)
      return
    }
  }

  /// The models that were found since the last time, by tracker.
  mutating func take() -> [String: String] {
    defer { found = [:] }
    return found
  }
}
