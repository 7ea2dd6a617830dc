/** Whether the system starts the service when the user logs in who runs it now. */
export interface StartAtLogin {
  isOn(): boolean
  /**
   * Changes what happens at the next login. The service that runs now goes on.
   * @throws ServiceError UNAVAILABLE when the system refuses
   */
  set(isOn: boolean): Promise<void>
}
