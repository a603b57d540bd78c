public import LunaJSON

/// The keys of a home's file for other programs, from their declaration.
public enum HomeSchema {
  /// The file as a JSON Schema (2020-12).
  public static var json: JSONValue {
    var root: JSONObject = [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "The file of a Luna home",
    ]
    for member in schema(HomeKeys.root).members { root.append(member.name, member.value) }
    var definitions = JSONObject()
    for (name, shape) in HomeKeys.named.sorted(by: { $0.key < $1.key }) {
      definitions.append(name, .object(schema(shape)))
    }
    root.append("$defs", .object(definitions))
    return .object(root)
  }

  private static func schema(_ shape: Shape) -> JSONObject {
    switch shape {
    case .any: return [:]
    case .bool: return ["type": "boolean"]
    case .yes: return ["const": true]
    case .integer(let range):
      return [
        "type": "integer", "minimum": .integer(range.lowerBound),
        "maximum": .integer(range.upperBound),
      ]
    case .number(let range):
      var object: JSONObject = ["type": "number"]
      if range.lowerBound > -1e300 { object.append("minimum", .real(range.lowerBound)) }
      if range.upperBound < 1e300 { object.append("maximum", .real(range.upperBound)) }
      return object
    case .text(let form):
      var object: JSONObject = ["type": "string"]
      if let pattern = form.pattern { object.append("pattern", .string(pattern)) }
      return object
    case .choice(let words): return ["enum": .array(words.map { .string($0) })]
    case .list(let element, let least):
      var object: JSONObject = ["type": "array", "items": .object(schema(element))]
      if least > 0 { object.append("minItems", .integer(Int64(least))) }
      return object
    case .map(let value):
      return ["type": "object", "additionalProperties": .object(schema(value))]
    case .object(let members): return schema(members)
    case .one(let keys):
      return [
        "type": "object", "minProperties": 1, "maxProperties": 1,
        "anyOf": .array(keys.map { .object(requiring([$0.name])) }),
        "properties": .object(properties(keys)),
      ]
    case .either(let shapes): return ["anyOf": .array(shapes.map { .object(schema($0)) })]
    case .secret(let allowsText):
      let object = schema(HomeKeys.secret)
      return allowsText
        ? ["anyOf": .array([.object(["type": "string"]), .object(object)])] : object
    case .named(let name): return ["$ref": .string("#/$defs/\(name)")]
    }
  }

  private static func schema(_ members: Members) -> JSONObject {
    var object: JSONObject = [
      "type": "object", "properties": .object(properties(members.keys)),
    ]
    let required = members.keys.filter(\.isRequired).map(\.name)
    if !required.isEmpty { object.append("required", .array(required.map { .string($0) })) }
    if !members.together.isEmpty {
      var together = JSONObject()
      for (key, others) in members.together.sorted(by: { $0.key < $1.key }) {
        together.append(key, .array(others.map { .string($0) }))
      }
      object.append("dependentRequired", .object(together))
    }
    var rules: [JSONValue] = members.exclusive.map { ["not": .object(requiring($0))] }
    rules += members.exactlyOne.map { keys in
      ["oneOf": .array(keys.map { .object(requiring([$0])) })]
    }
    rules += members.needs.map { need in
      [
        "if": [
          "properties": .object([need.key: ["const": .string(need.value)]]),
          "required": [.string(need.key)],
        ],
        "then": .object(requiring(need.needs)),
      ]
    }
    if !rules.isEmpty { object.append("allOf", .array(rules)) }
    return object
  }

  private static func requiring(_ names: [String]) -> JSONObject {
    ["required": .array(names.map { .string($0) })]
  }

  private static func properties(_ keys: [Key]) -> JSONObject {
    var object = JSONObject()
    for key in keys {
      var schema = schema(key.shape)
      for former in key.former {
        var older = schema
        older.append("deprecated", true)
        object.append(former, .object(older))
      }
      schema.append("description", .string(key.meaning))
      if let standard = key.standard { schema.append("default", standard) }
      object.append(key.name, .object(schema))
    }
    return object
  }
}
