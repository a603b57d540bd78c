import LunaJSON

/// What is to become of something that people make.
package struct HomeObjectChange: Sendable {
  let kind: HomeObject.Kind
  let id: String
  /// What it is to be; nil for nothing.
  let value: JSONValue?
}
