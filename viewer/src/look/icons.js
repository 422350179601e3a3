// Strokes in a box of 24.

export const PLAY = "M7 4.5v15l12-7.5z";
export const PAUSE = "M8 5v14M16 5v14";
export const BACK = "M18 5.5v13L9 12zM6 5v14";
export const FORWARD = "M6 5.5v13L15 12zM18 5v14";
export const LOOP = "M17 3l3 3-3 3M4 11V9a3 3 0 0 1 3-3h13M7 21l-3-3 3-3M20 13v2a3 3 0 0 1-3 3H4";
export const FIT = "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5";
export const CAMERA = "M4 8h3l2-3h6l2 3h3v11H4zM12 10.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6z";
export const LAYERS = "M12 4l9 5-9 5-9-5zM4 13.5l8 4.5 8-4.5";
export const SUN = "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1 1M17.4 17.4l1 1M18.4 5.6l-1 1M6.6 17.4l-1 1";
export const MOON = "M19.5 14A8 8 0 0 1 10 4.5 8 8 0 1 0 19.5 14z";
export const HELP = "M9.2 9a2.9 2.9 0 1 1 4.2 2.7c-.9.5-1.4 1-1.4 2.1M12 17.2v.3M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z";
export const CLOSE = "M6 6l12 12M18 6L6 18";
export const ADD = "M12 5v14M5 12h14";
export const MINUS = "M5 12h14";
export const RESET = "M4 12a8 8 0 1 0 2.5-5.8M4 4v4.5h4.5";
export const LINES = "M4 7h16M4 12h16M4 17h10";
export const SAVE = "M12 4v11M7.5 11l4.5 4.5 4.5-4.5M5 20h14";
