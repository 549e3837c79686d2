#pragma once
#include "../cooperative_groups.h"
namespace cooperative_groups { using namespace cl_group_scan; }
