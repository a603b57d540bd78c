package import Diagnosis
import FileOutput

/// Why a check does not begin, or what it is to be made of cannot be read.
package struct UplinkError: Diagnosed, CustomStringConvertible, Hashable {
  /// The kinds of failure.
  package enum Kind: String, CaseIterable, Sendable {
    /// This user may not read a file.
    case denied
    /// A file is not there, or is not what is asked for.
    case unreadable
    /// A profile is named where recordings are.
    case profile
    /// No list has an app that is named.
    case noSuchApp
    /// There is no recording in a directory.
    case noRecordings
    /// A file is no list of variations.
    case noVariations
    /// No inspection was broken off that could go on.
    case noInspection
    /// A result has no samples.
    case noSamples
    /// A run would take more data than it may.
    case overBudget
    /// The same on a metered link.
    case overMeteredBudget
    /// All checks of a month would take more data than they may.
    case overMonth
    /// The same on metered links.
    case overMeteredMonth
    /// Another check runs.
    case busy
  }

  /// The kind of failure.
  package let kind: Kind
  /// What happened, and what to do.
  package let diagnosis: Diagnosis

  init(_ kind: Kind, _ problem: String, remedy: Remedy? = nil) {
    self.kind = kind
    diagnosis = Diagnosis(problem, remedy: remedy)
  }

  /// A file that cannot be read.
  init(_ error: FileInputError) {
    kind = error.kind == .denied ? .denied : .unreadable
    diagnosis = error.diagnosis
  }
}
