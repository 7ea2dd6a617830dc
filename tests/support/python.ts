/** The Python of the system. A `python3` of a version manager takes ten times as long to start. */
export const PYTHON = '/usr/bin/python3'
