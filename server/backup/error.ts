/** A backup or restore that cannot be done; the message gives the reason and a remedy. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}
