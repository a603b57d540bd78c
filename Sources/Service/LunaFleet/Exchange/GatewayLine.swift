import Diagnosis
public import LunaJSON

/// A gateway to be imported, and where it stands in its file.
public struct GatewayLine: Hashable, Sendable {
  /// The number of the line in the file, from 1.
  public let line: Int
  /// The fields, as in the body of a request.
  public let fields: JSONObject

  /// What a line holds.
  public init(line: Int, fields: JSONObject) {
    self.line = line
    self.fields = fields
  }

  /// The new record's fields. What the program says of a gateway, in a file that it wrote, is left out.
  ///
  /// - Throws: all that is wrong, with the line.
  public func edit() throws(FieldErrors) -> RecordEdit {
    let edit: RecordEdit
    do throws(FieldErrors) {
      edit = try RecordEdit(
        .gateway, json: fields,
        ignoring: Set(RecordKind.gateway.fixed + ["type", "picture"]))
    } catch {
      throw FieldErrors(error.errors.map { $0.at(line: line) })
    }
    guard edit.fields["name"] != nil else {
      throw FieldErrors([
        FleetError(.fieldValue, "name is missing", field: "name", position: line)
      ])
    }
    return edit
  }
}

extension FleetError {
  func at(line: Int) -> FleetError {
    FleetError(code, reason, field: field, position: line, remedy: remedy)
  }
}
