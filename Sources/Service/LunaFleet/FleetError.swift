public import Diagnosis

/// What is wrong with something that the fleet was given: a label, a field, a search, a picture, a
/// layout.
public struct FleetError: Diagnosed, CustomStringConvertible, Hashable {
  /// What programs know the errors by. Those of labels are in the order in which they are looked for.
  public enum Code: String, CaseIterable, Sendable {
    // Labels.
    case qrEmpty, qrNotLuna, qrTracker, qrVersion, qrTooLong, qrSymbol, qrChecksum, qrTruncated
    case qrTwice, qrValue, qrMissing
    // Enrolment.
    case alreadyEnrolled, wasRemoved, nameTaken, noPosition, notEnrolled, gatewayRemoved, signature
    // Fields.
    case fixedField, unknownField, fieldValue, revisionMissing
    // Undo.
    case notUndoable, tooOld, alreadyUndone, changedSince, gone
    // Searches, pictures, layouts, files.
    case search
    case pictureType, pictureTooLarge, picturePixels, pictureAnimated, pictureDamaged
    case pictureTrailing
    case layout, importLine
  }

  /// The kind of error.
  public let code: Code
  /// The field that it is about, where it is about one.
  public let field: String?
  /// Where in a text, from 1: a character of a label or a search, a line of a file.
  public let position: Int?
  /// What is wrong, and what to do.
  public let diagnosis: Diagnosis

  /// An error.
  ///
  /// - Parameters:
  ///   - problem: what is wrong, in words.
  ///   - position: where in a text, from 1: a character of a label or a search, a line of a file.
  public init(
    _ code: Code, _ problem: String, field: String? = nil, position: Int? = nil,
    remedy: Remedy? = nil
  ) {
    self.code = code
    self.field = field
    self.position = position
    diagnosis = Diagnosis(problem, remedy: remedy)
  }
}
