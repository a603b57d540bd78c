package import Diagnosis
package import SQLite

/// Why a file with map tiles cannot be used.
package struct TilesError: Diagnosed, DatabaseError {
  package let diagnosis: Diagnosis

  init(_ reason: String, remedy: Remedy? = nil) { diagnosis = Diagnosis(reason, remedy: remedy) }

  package init(_ failure: SQLiteFailure, path: String, doing: String) {
    self.init("cannot \(doing) the map tiles of \(path): \(failure.message)")
  }
}
