public import Diagnosis

/// All that is wrong with the fields of a record, so that a person can mend them at once.
public struct FieldErrors: Diagnosed, CustomStringConvertible, Hashable {
  /// The errors, at least one, in the order in which the fields were given.
  public let errors: [FleetError]

  /// Errors in the order in which the fields were given, at least one.
  public init(_ errors: [FleetError]) { self.errors = errors }

  /// The first error; the others are in ``errors``.
  public var diagnosis: Diagnosis { errors.first?.diagnosis ?? Diagnosis("a field is wrong") }
}
