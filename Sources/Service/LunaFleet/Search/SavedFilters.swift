import Diagnosis
public import LunaJSON

/// Searches that somebody has kept under names.
public struct SavedFilters: Hashable, Sendable {
  /// How many there may be.
  public static let limit = 100

  /// The filters, in the order in which they are shown.
  public private(set) var list: [SavedFilter] = []

  /// Reads `{filters: [{name, q, shared?}]}`. Those with an `owner` are somebody else's, and left out.
  public init(json: JSONValue) throws(FleetError) {
    do throws(FormatError) {
      let values = try JSONMembers(json, name: "the body").array("filters")
      for value in values {
        let members = try JSONMembers(value, name: "a filter")
        let owner = try members.optionalString("owner", limit: 200)
        let (text, search) = (try members.string("name"), try members.string("q"))
        let name: String
        // As the names of gateways: others see it too, where it is shared.
        do throws(FieldProblem) {
          name = try FieldText.line(text, limit: 80)
        } catch { throw FormatError("name", error.text) }
        do throws(FleetError) {
          _ = try FleetSearch(search)
        } catch { throw FormatError("q", "is no search: \(error.reason)") }
        var isShared = false
        switch members.optional("shared") {
        case nil: break
        case .bool(let value)?: isShared = value
        default: throw FormatError("shared", "is neither true nor false")
        }
        guard owner == nil else { continue }
        guard !list.contains(where: { $0.name == name }) else {
          throw FormatError("name", "is there twice")
        }
        list.append(SavedFilter(name: name, search: search, isShared: isShared))
      }
      guard list.count <= SavedFilters.limit else {
        throw FormatError("filters", "has more than \(SavedFilters.limit) elements")
      }
    } catch {
      throw FleetError(.fieldValue, error.description, field: error.member)
    }
  }

  private init() {}

  /// What was kept, as far as it is understood: one that is not costs none of the others.
  public static func read(_ json: JSONValue?) -> SavedFilters {
    var filters = SavedFilters()
    guard case .object(let object)? = json, case .array(let values)? = object["filters"] else {
      return filters
    }
    for value in values {
      guard let one = try? SavedFilters(json: ["filters": [value]]).list.first,
        !filters.list.contains(where: { $0.name == one.name })
      else { continue }
      filters.list.append(one)
    }
    return filters
  }

  /// The filters as JSON.
  public var json: JSONValue { ["filters": .array(list.map { .object($0.json) })] }
}
