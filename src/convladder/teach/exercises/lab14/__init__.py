"""Lab 14: a grid, a calibration bug, scales for channels, a layer in integers, 2:4, packed bits."""
