/// What was done to a record.
public enum ChangeAction: String, Sendable, CaseIterable {
  /// It was made.
  case add
  /// Fields were changed.
  case edit
  /// It was removed, softly.
  case remove
  /// It came back.
  case restore
  /// Its label was scanned, for this or another piece of hardware.
  case enrol
  /// It got its token.
  case admit
  /// Many were changed at once; the changes of each follow.
  case bulk
  /// A device was hidden until it is heard again.
  case forget
  /// A device is shown again.
  case recall
  /// It is gone for good.
  case purge
  /// Records were read to be kept elsewhere.
  case export
  /// Somebody was invited to make a password.
  case invite
  /// Somebody signed in.
  case signIn
  /// Somebody was kept out who tried to sign in, or to sign a program in.
  case refuse
  /// Somebody signed out.
  case signOut
}
