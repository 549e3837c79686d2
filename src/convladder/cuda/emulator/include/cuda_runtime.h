// Nothing to add: cl_device.h has it all.
#pragma once
