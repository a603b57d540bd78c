package import Diagnosis
package import SQLite

/// What goes wrong with the file of the outbox.
package struct OutboxError: DatabaseError, Diagnosed {
  package let kind: SQLiteFailure.Kind
  package let diagnosis: Diagnosis

  package init(_ failure: SQLiteFailure, path: String, doing: String) {
    kind = failure.kind
    diagnosis = Diagnosis("cannot \(doing) \(path): \(failure.cause)")
  }
}
