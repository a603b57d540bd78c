public import LunaJSON

/// A file of test vectors (PROTOCOL.md, 18): groups of cases, each the input of a pure function and,
/// unless they are only to be answered, its output.
public struct VectorFile: Sendable {
  /// The cases of one function.
  public struct Group: Sendable {
    /// The name of the function.
    public let name: String
    /// The cases.
    public let cases: [Case]
  }

  /// One input.
  public struct Case: Sendable {
    /// The name of the case, unique in the file.
    public let id: String
    /// The input.
    public let input: JSONObject
    /// The expected output; nil when the case is only to be answered.
    public let output: JSONValue?
  }

  /// The groups, in the order of the file.
  public let groups: [Group]

  /// Reads a file.
  ///
  /// - Throws: `json` or `format`.
  public init(_ bytes: [UInt8]) throws(VectorError) {
    let root: JSONValue
    do throws(JSONError) { root = try JSONReader.read(bytes) } catch { throw .json(error) }
    guard case .object(let file) = root, case .object(let groups)? = file["groups"] else {
      throw .format("no groups")
    }
    var read: [Group] = []
    for group in groups.members {
      guard case .object(let object) = group.value, case .array(let cases)? = object["cases"] else {
        throw .format("group \(group.name) has no cases")
      }
      var readCases: [Case] = []
      for (index, element) in cases.enumerated() {
        guard case .object(let members) = element, case .string(let id)? = members["id"],
          case .object(let input)? = members["in"]
        else { throw .format("case \(index) of group \(group.name) has no id or no in") }
        readCases.append(Case(id: id, input: input, output: members["out"]))
      }
      read.append(Group(name: group.name, cases: readCases))
    }
    self.groups = read
  }
}
