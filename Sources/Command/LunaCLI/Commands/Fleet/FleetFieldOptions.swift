import CommandSpec
import LunaFleet
import LunaJSON

/// Fields of a gateway on a command line.
struct FleetFieldOptions: Sendable {
  var name: String?
  var at: PlaceOption?
  var place: String?
  var manufacturer: String?
  var site: String?
  var note: String?
  var tags: [String] = []

  static func group(isEdit: Bool) -> OptionGroup<FleetFieldOptions> {
    let rename: [Option<FleetFieldOptions>] =
      isEdit ? [.value("name", "NAME", "Its name", \.name, .text)] : []
    return OptionGroup(
      "Fields",
      rename + [
        .value("at", "LAT,LON", "Where it is, degrees", \.at, PlaceOption.reader),
        .value("place", "TEXT", "Where it is, in words", \.place, .text),
        .value("site", "SITE", "The site that it belongs to", \.site, .text),
        .repeated("tag", "TAG", "Give it this tag", \.tags, .text),
        .value("manufacturer", "NAME", "Who made it", \.manufacturer, .text),
        .value("note", "TEXT", "A note", \.note, .text),
      ])
  }

  /// The members of a request; an empty text clears a field.
  ///
  /// - Parameter present: the place that it has already.
  func members(present: JSONValue? = nil) -> JSONObject {
    var members = JSONObject()
    func put(_ name: String, _ text: String?) {
      if let text { members.append(name, text.isEmpty ? .null : .string(text)) }
    }
    put("name", name)
    put("site", site)
    put("manufacturer", manufacturer)
    put("note", note)
    if at != nil || place != nil {
      var whole = JSONObject()
      if case .object(let object)? = present { whole = object }
      if let at {
        whole.members.removeAll {
          ["latitude", "longitude", "source", "accuracy"].contains($0.name)
        }
        whole.append("latitude", .real(at.latitude))
        whole.append("longitude", .real(at.longitude))
        whole.append("source", .string(at.source.rawValue))
      }
      if let place {
        whole.members.removeAll { $0.name == "text" }
        if !place.isEmpty { whole.append("text", .string(place)) }
      }
      let isEmpty = whole["text"] == nil && whole["latitude"] == nil
      members.append("place", isEmpty ? .null : .object(whole))
    }
    return members
  }
}
