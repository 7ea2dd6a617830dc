/** Whether the system starts the service at the next login of the user whose service this is. */
export interface StartAtLogin {
  isOn(): boolean
  /**
   * Changes what happens at the next login. The running service is not started or stopped.
   * @throws ServiceError UNAVAILABLE when the system refuses
   */
  set(isOn: boolean): Promise<void>
}
