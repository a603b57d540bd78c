/// What people are told before they share a tracker.
package enum ShareWarning {
  /// What ending a share cannot do (SHARING.md, 2).
  package static let ending = [
    "Ending a share later cannot take back what was seen, cannot make another program delete keys, "
      + "and cannot hide the tracker from who is near it in the periods that were shared. Keys last "
      + "to the end of their period; a ring up to 1,228 s more.",
    "To cut it at once: onboard the tracker again, or have the backend's operator revoke the other's "
      + "token (that stops remote reports only).",
  ]
}
